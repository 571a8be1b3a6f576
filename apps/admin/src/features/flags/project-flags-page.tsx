import { Anchor, Badge, Breadcrumbs, Group, Pagination, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Answer, api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { FlagSwitch } from './flag-switch.tsx';

type Flag = Answer<'GET /api/admin/search/features'>['features'][number];

const route = getRouteApi('/projects/$projectId');
const pageSize = 50;

/** The flags of a project, each switched in place. */
export function ProjectFlagsPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 1, query, state, archived } = search;
  const overview = useQuery({
    queryKey: ['GET /api/admin/projects/:projectId/overview', projectId],
    queryFn: () => api('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  });
  const flags = useQuery({
    queryKey: ['GET /api/admin/search/features', projectId, search],
    queryFn: () =>
      api('GET /api/admin/search/features', {
        query: {
          project: `IS:${projectId}`,
          limit: String(pageSize),
          offset: String((page - 1) * pageSize),
          sortBy: 'name',
          sortOrder: 'asc',
          ...(query === undefined ? {} : { query }),
          ...(state === undefined ? {} : { state: `IS:${state}` }),
          ...(archived === undefined ? {} : { archived: 'IS:true' }),
        },
      }),
    placeholderData: keepPreviousData,
  });
  const setQuery = useDebouncedCallback((text: string) => {
    void navigate({
      search: ({ page: _page, ...rest }) => ({ ...rest, query: text === '' ? undefined : text }) as typeof search,
      replace: true,
    });
  }, 200);
  const environments = overview.data?.environments.map(({ environment }) => environment) ?? [];
  const pages = Math.ceil((flags.data?.total ?? 0) / pageSize);
  return (
    <Page
      title={overview.data?.name ?? projectId}
      description={
        <Breadcrumbs>
          <Anchor component={Link} to="/projects" size="sm">
            Projects
          </Anchor>
          <Text size="sm">{projectId}</Text>
        </Breadcrumbs>
      }
      actions={
        <>
          <ButtonLink to="/projects/$projectId/change-requests" params={{ projectId }} variant="default">
            Change requests
          </ButtonLink>
          <ButtonLink to="/projects/$projectId/settings" params={{ projectId }} variant="default">
            Project settings
          </ButtonLink>
          <Permitted needs="CREATE_FEATURE" place={{ project: projectId }}>
            <ButtonLink
              to="/projects/$projectId/create-flag"
              params={{ projectId }}
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              New feature flag
            </ButtonLink>
          </Permitted>
        </>
      }
    >
      <Group>
        <TextInput
          key={projectId}
          aria-label="Search flags"
          placeholder="Search by name, description or tag"
          leftSection={<IconSearch size={16} />}
          defaultValue={query ?? ''}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          maw={420}
          flex={1}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {flags.data === undefined ? '' : flags.data.total === 1 ? '1 flag' : `${flags.data.total} flags`}
        </Text>
      </Group>
      {flags.error !== null && <Failure error={flags.error} onRetry={() => void flags.refetch()} />}
      {flags.isPending && <TableSkeleton />}
      {flags.data?.features.length === 0 && (
        <EmptyState title={query === undefined ? 'This project has no flags yet' : 'No flag is like that'}>
          {query === undefined ? 'A flag decides, for each user, whether they get something.' : 'Look for fewer words.'}
        </EmptyState>
      )}
      {flags.data !== undefined && flags.data.features.length > 0 && (
        <FlagTable flags={flags.data.features} environments={environments} />
      )}
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

function FlagTable({
  flags,
  environments,
}: {
  readonly flags: readonly Flag[];
  readonly environments: readonly string[];
}) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="md">Created</Table.Th>
            {environments.map((environment) => (
              <Table.Th key={environment}>{environment}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {flags.map((flag) => (
            <Table.Tr key={flag.name}>
              <Table.Td>
                <Group gap="xs">
                  <TextLink
                    to="/projects/$projectId/features/$featureName"
                    params={{ projectId: flag.project, featureName: flag.name }}
                    fw={550}
                    size="sm"
                  >
                    {flag.name}
                  </TextLink>
                  {flag.stale && (
                    <Badge size="xs" color="gray" variant="light">
                      Stale
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {flag.description ?? flag.type}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="md">{flag.createdAt && <RelativeTime at={flag.createdAt} />}</Table.Td>
              {environments.map((environment) => (
                <Table.Td key={environment}>
                  <StateOf flag={flag} environment={environment} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function StateOf({ flag, environment }: { readonly flag: Flag; readonly environment: string }) {
  const state = flag.environments.find(({ name }) => name === environment);
  return state === undefined ? null : <FlagSwitch flag={flag} state={state} />;
}
