import { Breadcrumbs, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SmallBadge } from '../../ui/text.tsx';

type UnknownFlag = Answer<'GET /api/admin/metrics/unknown-flags'>['unknownFlags'][number];

/** The flag names that applications request but that do not exist. */
export function UnknownFlagsPage() {
  const unknown = useQuery(apiQuery('GET /api/admin/metrics/unknown-flags'));
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
          Flag names that applications request but that do not exist: misspelled, deleted while in use, or not created
          yet. Names that are no longer requested disappear after some days.
        </>
      }
    >
      <Listing
        query={unknown}
        rows={unknown.data?.unknownFlags}
        rowKey={({ name }) => name}
        empty={
          <EmptyState title="No unknown flags">
            Flag names that applications request and that do not exist appear here.
          </EmptyState>
        }
        columns={columns}
      />
    </Page>
  );
}

const columns: readonly Column<UnknownFlag>[] = [
  {
    header: 'Name',
    cell: ({ name }) => (
      <Text size="sm" ff="monospace" miw={120} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { header: 'Requested by', cell: (flag) => <Applications flag={flag} /> },
  { header: 'Last seen', breaks: 'never', cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
];

function Applications({ flag: { applications } }: { readonly flag: UnknownFlag }) {
  return applications.map(({ appName, environment }) => (
    <Group key={`${appName} ${environment}`} gap={6} mih={28}>
      <TextLink to="/applications/$appName" params={{ appName }} size="sm">
        {appName}
      </TextLink>
      <SmallBadge color="gray">{environment}</SmallBadge>
    </Group>
  ));
}
