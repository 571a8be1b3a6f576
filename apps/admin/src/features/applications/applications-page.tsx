import { Alert, Badge, Group, Pagination, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useLastPage } from '../../lib/last-page.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Hint } from '../../ui/text.tsx';

type Application = Answer<'GET /api/admin/metrics/applications'>['applications'][number];

const route = getRouteApi('/applications');
const pageSize = 50;

/** The applications that evaluate flags. */
export function ApplicationsPage() {
  const { query, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const applications = useQuery({
    ...apiQuery('GET /api/admin/metrics/applications', {
      query: { query, limit: String(pageSize), offset: String((page - 1) * pageSize), sortBy: 'appName' },
    }),
    placeholderData: keepPreviousData,
  });
  const pages = Math.ceil((applications.data?.total ?? 0) / pageSize);
  const isCounted = applications.data !== undefined && !applications.isPlaceholderData;
  useLastPage(page, isCounted ? pages : undefined, (last) =>
    navigate({ search: (before) => ({ ...before, page: last }), replace: true }),
  );
  return (
    <Page
      title={titleOf('/applications')}
      description="The applications that evaluate your flags, as reported by SDKs."
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
      <Listing
        query={applications}
        rows={applications.data?.applications}
        rowKey={({ appName }) => appName}
        highlightOnHover
        empty={
          <EmptyState title="No applications yet">
            Create an API token and connect an SDK with it. The application appears here within a minute.
          </EmptyState>
        }
        filtered={query === undefined ? undefined : 'applications'}
        columns={columns}
      />
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
  const { data } = useQuery(apiQuery('GET /api/admin/metrics/sdks/outdated'));
  if (data === undefined || data.sdks.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title="Outdated SDKs">
      {data.sdks.map(({ sdkVersion, applications }) => (
        <Text key={sdkVersion} size="sm">
          <b>{sdkVersion}</b> in {applications.join(', ')}
        </Text>
      ))}
    </Alert>
  );
}

const columns: readonly Column<Application>[] = [
  { header: 'Name', cell: (application) => <ApplicationName application={application} /> },
  {
    header: 'Projects and environments',
    visibleFrom: 'sm',
    cell: ({ usage }) => (
      <Group gap={6}>
        {usage.map(({ project, environments }) => (
          <Badge key={project} color="gray" fw={500}>
            {project}: {environments.join(', ')}
          </Badge>
        ))}
      </Group>
    ),
  },
  { header: 'SDK', visibleFrom: 'md', cell: ({ sdkVersion }) => sdkVersion ?? 'Unknown' },
  { header: 'Last seen', breaks: 'never', cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
];

function ApplicationName({ application: { appName, description } }: { readonly application: Application }) {
  return (
    <>
      <TextLink
        to="/applications/$appName"
        params={{ appName }}
        fw={550}
        size="sm"
        style={{ overflowWrap: 'anywhere' }}
      >
        {appName}
      </TextLink>
      <Hint lineClamp={1}>{description}</Hint>
    </>
  );
}
