import { Breadcrumbs, Group, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconArchive, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted } from '../../ui/text.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { ColumnChoice, type ColumnName, usualColumns } from './column-choice.tsx';
import { FlagFilters } from './flag-filters.tsx';
import type { FlagSearch, FlagSearchChange } from './flag-search.ts';
import { FlagTable } from './flag-table.tsx';
import { HeldInProject } from './held-in-project.tsx';
import { useFlagResults } from './use-flag-results.ts';

const route = getRouteApi('/projects/$projectId');

/** The flags of a project, with filters and bulk actions. */
export function ProjectFlagsPage() {
  const { projectId } = route.useParams();
  const overview = useQuery(projectOverviewQuery(projectId));
  return (
    <Page
      title={overview.data?.name ?? projectId}
      description={
        <Breadcrumbs>
          <TextLink to="/projects" size="sm">
            Projects
          </TextLink>
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
          <ButtonLink
            to="/projects/$projectId/archive"
            params={{ projectId }}
            variant="default"
            leftSection={<IconArchive size={16} aria-hidden />}
          >
            Archive
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
      <Flags
        key={projectId}
        projectId={projectId}
        environments={overview.data?.environments.map(({ environment }) => environment) ?? []}
      />
    </Page>
  );
}

function Flags({ projectId, environments }: { readonly projectId: string; readonly environments: readonly string[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const listQuery = { projectId, search };
  const { first, found, look } = useFlagResults(listQuery);
  const [columns, setColumns] = useLocalStorage<readonly ColumnName[]>({
    key: 'yardarm-flag-columns',
    defaultValue: usualColumns,
    getInitialValueInEffect: false,
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const change = (part: FlagSearchChange) =>
    void navigate({
      search: (before) => ({ ...before, ...part }) as FlagSearch,
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <HeldInProject projectId={projectId} isFiltered={search.held === true} />
      <FlagFilters projectId={projectId} search={search} onChange={change}>
        <Group gap="sm" ml="auto">
          <Muted aria-live="polite">
            {found === undefined ? '' : found.total === 1 ? '1 flag' : `${found.total.toLocaleString()} flags`}
          </Muted>
          <ColumnChoice columns={columns} onChange={setColumns} />
        </Group>
      </FlagFilters>
      {first.error !== null && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {first.isPending && <TableSkeleton />}
      {found?.total === 0 && <NoFlags search={search} />}
      {found !== undefined && found.total > 0 && (
        <FlagTable
          listQuery={listQuery}
          found={found}
          onRange={look}
          environments={environments}
          columns={columns}
          chosen={chosen}
          onChoose={setChosen}
          onSearch={change}
        />
      )}
      <BulkActions
        projectId={projectId}
        names={[...chosen]}
        environments={environments}
        onDone={() => setChosen(new Set())}
      />
    </>
  );
}

function NoFlags({ search }: { readonly search: FlagSearch }) {
  const { sort: _sort, desc: _desc, ...filters } = search;
  if (Object.keys(filters).length > 0) return <NoMatch plural="flags" hint="Try fewer words, or clear the filters." />;
  return (
    <EmptyState title="No flags yet">
      A flag decides for each user whether a feature is on. Create the first one with “New feature flag”.
    </EmptyState>
  );
}
