import { Breadcrumbs, Button, Checkbox, Group, Pagination, Table, Text } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { DeleteFlags } from './delete-flags.tsx';
import { SearchText } from './flag-filters.tsx';
import { FlagName } from './flag-name.tsx';
import { projectOverviewQuery, useFlagAction } from './flag-queries.ts';
import type { FlagSearch } from './flag-search.ts';
import { type FlagRow, flagSearchQuery, pageSize } from './flag-search-query.ts';

const route = getRouteApi('/projects/$projectId/archive');

/** The archived flags of a project, to be brought back or deleted for good. */
export function ArchivePage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useQuery(projectOverviewQuery(projectId));
  const flags = useQuery(flagSearchQuery(projectId, search, true));
  const pages = Math.ceil((flags.data?.total ?? 0) / pageSize);
  const rows = flags.data?.features ?? [];
  return (
    <Page
      title="Archived flags"
      description={
        <Breadcrumbs>
          <TextLink to="/projects" size="sm">
            Projects
          </TextLink>
          <TextLink to="/projects/$projectId" params={{ projectId }} size="sm">
            {project?.name ?? projectId}
          </TextLink>
        </Breadcrumbs>
      }
    >
      <SearchText
        search={search}
        onChange={({ query }) =>
          void navigate({ search: query === undefined ? {} : ({ query } as FlagSearch), replace: true })
        }
      />
      {flags.error !== null && <Failure error={flags.error} onRetry={() => void flags.refetch()} />}
      {flags.isPending && <TableSkeleton />}
      {flags.data !== undefined && rows.length === 0 && (
        <EmptyState title={search.query === undefined ? 'No flag is archived' : 'No archived flag is like that'}>
          {search.query === undefined
            ? 'Archive a flag when the code no longer asks for it; here it can be brought back.'
            : 'Look for fewer words.'}
        </EmptyState>
      )}
      {rows.length > 0 && <Archived key={search.page ?? 1} projectId={projectId} rows={rows} />}
      {pages > 1 && (
        <Pagination
          value={Math.min(search.page ?? 1, pages)}
          total={pages}
          onChange={(page) => void navigate({ search: (before) => ({ ...before, page }) })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Page>
  );
}

function Archived({ projectId, rows }: { readonly projectId: string; readonly rows: readonly FlagRow[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [deleting, setDeleting] = useState(false);
  const names = rows.map(({ name }) => name).filter((name) => chosen.includes(name));
  const revive = useFlagAction(
    () => api('POST /api/admin/projects/:projectId/revive', { params: { projectId }, body: { features: names } }),
    () => setChosen([]),
  );
  const place = { project: projectId };
  return (
    <>
      <Group gap="xs">
        <Permitted needs="UPDATE_FEATURE" place={place}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRestore size={14} aria-hidden />}
            onClick={() => revive.mutate(undefined)}
            loading={revive.isPending}
            disabled={names.length === 0}
          >
            Revive
          </Button>
        </Permitted>
        <Permitted needs="DELETE_FEATURE" place={place}>
          <Button
            size="xs"
            variant="light"
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => setDeleting(true)}
            disabled={names.length === 0}
          >
            Delete
          </Button>
        </Permitted>
        <Text size="sm" c="dimmed" aria-live="polite">
          {names.length === 0 ? 'Choose flags to revive or delete them.' : `${names.length} chosen`}
        </Text>
      </Group>
      <Table.ScrollContainer minWidth={420} aria-label="Archived flags" tabIndex={0}>
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={36}>
                <Checkbox
                  checked={names.length === rows.length}
                  indeterminate={names.length > 0 && names.length < rows.length}
                  onChange={({ currentTarget }) => setChosen(currentTarget.checked ? rows.map(({ name }) => name) : [])}
                  aria-label="Choose all flags of this page"
                />
              </Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>Archived</Table.Th>
              <Table.Th>Last seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((flag) => (
              <Table.Tr key={flag.name}>
                <Table.Td>
                  <Checkbox
                    checked={chosen.includes(flag.name)}
                    onChange={({ currentTarget }) =>
                      setChosen(
                        currentTarget.checked ? [...chosen, flag.name] : chosen.filter((name) => name !== flag.name),
                      )
                    }
                    aria-label={`Choose ${flag.name}`}
                  />
                </Table.Td>
                <Table.Td>
                  <FlagName flag={flag} />
                </Table.Td>
                <Table.Td>{flag.archivedAt !== null && <RelativeTime at={flag.archivedAt} />}</Table.Td>
                <Table.Td>{flag.lastSeenAt === null ? 'never' : <RelativeTime at={flag.lastSeenAt} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {deleting && (
        <DeleteFlags
          projectId={projectId}
          names={names}
          onClose={() => setDeleting(false)}
          onDone={() => setChosen([])}
        />
      )}
    </>
  );
}
