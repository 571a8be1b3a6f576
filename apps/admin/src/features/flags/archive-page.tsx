import { Table } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type Dispatch, memo, type SetStateAction, useCallback, useState } from 'react';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Muted } from '../../ui/text.tsx';
import { WindowedRows } from '../../ui/windowed-rows.tsx';
import { ArchivedActions } from './archived-actions.tsx';
import { SearchText } from './flag-filters.tsx';
import { FlagName } from './flag-name.tsx';
import type { FlagSearch } from './flag-search.ts';
import type { FlagListQuery, FlagRow } from './flag-search-query.ts';
import { withName } from './flag-table.tsx';
import { lineHeight, PlaceholderRow, type SelectableProps, SelectableRow } from './flag-table-row.tsx';
import { SelectAllFlags } from './select-all-flags.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { type FlagResults, useFlagResults } from './use-flag-results.ts';

const route = getRouteApi('/projects/$projectId/archive');

/** The archived flags of a project, to revive or delete. */
export function ArchivePage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const listQuery = { projectId, search, archived: true };
  const { first, found, look } = useFlagResults(listQuery);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const clearSelection = () => setChosen(new Set());
  return (
    <Page title="Archived flags" description={<ProjectCrumbs projectId={projectId} />}>
      <SearchText
        search={search}
        onChange={({ query }) =>
          void navigate({ search: query === undefined ? {} : ({ query } as FlagSearch), replace: true })
        }
      />
      {first.error !== null && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {first.isPending && <TableSkeleton />}
      {found?.total === 0 && (
        <EmptyState title={search.query === undefined ? 'No archived flags' : 'No archived flags match'}>
          {search.query === undefined
            ? 'Archive flags that are no longer used in code. You can revive them here.'
            : 'Try fewer words.'}
        </EmptyState>
      )}
      {found !== undefined && found.total > 0 && (
        <>
          <Muted aria-live="polite">
            {found.total === 1 ? '1 archived flag' : `${found.total.toLocaleString()} archived flags`}. Select flags to
            revive or delete them.
          </Muted>
          <ArchiveTable listQuery={listQuery} found={found} onRange={look} chosen={chosen} onChoose={setChosen} />
        </>
      )}
      <SelectionBar count={chosen.size} onNone={clearSelection}>
        <ArchivedActions
          projectId={projectId}
          names={[...chosen]}
          size="xs"
          onRevived={clearSelection}
          onDeleted={clearSelection}
        />
      </SelectionBar>
    </Page>
  );
}

interface TableProps {
  readonly listQuery: FlagListQuery;
  readonly found: FlagResults;
  readonly onRange: (first: number, last: number, focused?: number) => void;
  /** The names of the selected flags. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: Dispatch<SetStateAction<ReadonlySet<string>>>;
}

const columns = 4;

/** A windowed table of archived flags. */
function ArchiveTable({ listQuery, found, onRange, chosen, onChoose }: TableProps) {
  const choose = useCallback(
    (name: string, selected: boolean) => onChoose((before) => withName(before, name, selected)),
    [onChoose],
  );
  return (
    <Table
      highlightOnHover
      verticalSpacing="xs"
      layout="fixed"
      stickyHeader
      stickyHeaderOffset={56}
      aria-rowcount={found.total + 1}
    >
      <Table.Thead>
        <Table.Tr aria-rowindex={1}>
          <Table.Th w={40}>
            <SelectAllFlags listQuery={listQuery} total={found.total} chosen={chosen} onChoose={onChoose} />
          </Table.Th>
          <Table.Th>Name</Table.Th>
          <Table.Th w={136}>Archived</Table.Th>
          <Table.Th w={136} visibleFrom="sm">
            Last seen
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <WindowedRows
        count={found.total}
        rowHeight={lineHeight}
        columns={columns}
        onRange={onRange}
        row={(index, place) => {
          const flag = found.flagAt(index);
          if (flag === undefined) return <PlaceholderRow found={found} index={index} place={place} columns={columns} />;
          return (
            <ArchivedRow
              flag={flag}
              measure={place.ref}
              index={index}
              chosen={chosen.has(flag.name)}
              onChoose={choose}
            />
          );
        }}
      />
    </Table>
  );
}

interface LineProps extends Omit<SelectableProps, 'name' | 'children'> {
  readonly flag: FlagRow;
}

const ArchivedRow = memo(function ArchivedRow({ flag, index, measure, chosen, onChoose }: LineProps) {
  return (
    <SelectableRow name={flag.name} index={index} measure={measure} chosen={chosen} onChoose={onChoose}>
      <Table.Td>
        <FlagName flag={flag} />
      </Table.Td>
      <Table.Td>{flag.archivedAt !== null && <RelativeTime at={flag.archivedAt} />}</Table.Td>
      <Table.Td visibleFrom="sm">{flag.lastSeenAt === null ? 'Never' : <RelativeTime at={flag.lastSeenAt} />}</Table.Td>
    </SelectableRow>
  );
});
