import { Alert, Badge, Group, Pagination, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Answer, api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SearchInput } from '../../ui/search-input.tsx';

type Application = Answer<'GET /api/admin/metrics/applications'>['applications'][number];

const route = getRouteApi('/applications');
const pageSize = 50;

/** The applications that evaluate flags. */
export function ApplicationsPage() {
  const { query, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const applications = useQuery({
    queryKey: ['GET /api/admin/metrics/applications', query, page],
    queryFn: () =>
      api('GET /api/admin/metrics/applications', {
        query: { query, limit: String(pageSize), offset: String((page - 1) * pageSize), sortBy: 'appName' },
      }),
    placeholderData: keepPreviousData,
  });
  const pages = Math.ceil((applications.data?.total ?? 0) / pageSize);
  return (
    <Page
      title={titleOf('/applications')}
      description="What evaluates your flags, as SDKs report it."
      actions={
        <ButtonLink to="/applications/unknown-flags" variant="default">
          Unknown flags
        </ButtonLink>
      }
    >
      <OutdatedSdks />
      <SearchInput
        value={query}
        label="Search applications"
        onChange={(text) => void navigate({ search: text === undefined ? {} : { query: text }, replace: true })}
      />
      <Loaded query={applications}>
        {(answer) =>
          answer.applications.length > 0 ? (
            <ApplicationTable applications={answer.applications} />
          ) : query === undefined ? (
            <EmptyState title="No application has reported yet">
              Create an API token and connect an SDK with it: the application appears here within a minute.
            </EmptyState>
          ) : (
            <EmptyState title="No application is called that">Look for a part of its name.</EmptyState>
          )
        }
      </Loaded>
      {pages > 1 && (
        <Pagination
          value={page}
          total={pages}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Page>
  );
}

function OutdatedSdks() {
  const { data } = useQuery({
    queryKey: ['GET /api/admin/metrics/sdks/outdated'],
    queryFn: () => api('GET /api/admin/metrics/sdks/outdated'),
  });
  if (data === undefined || data.sdks.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title="SDKs that should be updated">
      {data.sdks.map(({ sdkVersion, applications }) => (
        <Text key={sdkVersion} size="sm">
          <b>{sdkVersion}</b> in {applications.join(', ')}
        </Text>
      ))}
    </Alert>
  );
}

function ApplicationTable({ applications }: { readonly applications: readonly Application[] }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">Projects and environments</Table.Th>
            <Table.Th visibleFrom="md">SDK</Table.Th>
            <Table.Th>Last seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {applications.map(({ appName, description, usage, sdkVersion, lastSeenAt }) => (
            <Table.Tr key={appName}>
              <Table.Td>
                <TextLink
                  to="/applications/$appName"
                  params={{ appName }}
                  fw={550}
                  size="sm"
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {appName}
                </TextLink>
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {description}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Group gap={6}>
                  {usage.map(({ project, environments }) => (
                    <Badge key={project} variant="light" color="gray" tt="none" fw={500}>
                      {project}: {environments.join(', ')}
                    </Badge>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td visibleFrom="md">{sdkVersion ?? 'Unknown'}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <RelativeTime at={lastSeenAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
