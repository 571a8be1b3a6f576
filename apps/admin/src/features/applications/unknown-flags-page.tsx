import { Badge, Breadcrumbs, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** Flags that applications ask for and that are not there: mistyped, deleted, or not made yet. */
export function UnknownFlagsPage() {
  const unknown = useQuery({
    queryKey: ['GET /api/admin/metrics/unknown-flags'],
    queryFn: () => api('GET /api/admin/metrics/unknown-flags'),
  });
  return (
    <Page
      title={titleOf('/applications/unknown-flags')}
      description={
        <>
          <Breadcrumbs mb={4}>
            <TextLink to="/applications" size="sm">
              Applications
            </TextLink>
            <Text size="sm">Unknown flags</Text>
          </Breadcrumbs>
          Flags that applications ask for and that do not exist: mistyped, deleted while still in use, or not made yet.
          A name that is not asked for any more is forgotten after some days.
        </>
      }
    >
      <Loaded query={unknown}>
        {({ unknownFlags }) =>
          unknownFlags.length === 0 ? (
            <EmptyState title="Every flag that is asked for exists">
              Names that applications ask for and that are not there appear here.
            </EmptyState>
          ) : (
            <Table.ScrollContainer minWidth={320}>
              <Table verticalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th>Asked for by</Table.Th>
                    <Table.Th>Last seen</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {unknownFlags.map(({ name, lastSeenAt, applications }) => (
                    <Table.Tr key={name}>
                      <Table.Td miw={120}>
                        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                          {name}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        {applications.map(({ appName, environment }) => (
                          <Group key={`${appName} ${environment}`} gap={6} mih={28}>
                            <TextLink to="/applications/$appName" params={{ appName }} size="sm">
                              {appName}
                            </TextLink>
                            <Badge size="sm" variant="light" color="gray" tt="none">
                              {environment}
                            </Badge>
                          </Group>
                        ))}
                      </Table.Td>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>
                        <RelativeTime at={lastSeenAt} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </Page>
  );
}
