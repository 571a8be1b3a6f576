import { Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type Dispatch, memo, type SetStateAction, useCallback, useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { WindowedRows } from '../../ui/windowed-rows.tsx';
import { ArchivedActions } from './archived-actions.tsx';
import { ChooseAllFlags } from './choose-all-flags.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { SearchText } from './flag-filters.tsx';
import { type ChoosableProps, ChoosableRow, lineHeight, MissingLine } from './flag-line.tsx';
import { FlagName } from './flag-name.tsx';
import type { FlagSearch } from './flag-search.ts';
import type { FlagRow, Sought } from './flag-search-query.ts';
import { withName } from './flag-table.tsx';
import { ProjectCrumbs } from './project-crumbs.tsx';
import { type FoundFlags, useFoundFlags } from './use-found-flags.ts';

const route = getRouteApi('/projects/$projectId/archive');

/** The archived flags of a project, to be brought back or deleted for good. */
export function ArchivePage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const sought = { projectId, search, archived: true };
  const { first, found, look } = useFoundFlags(sought);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const chooseNone = () => setChosen(new Set());
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
        <EmptyState title={search.query === undefined ? 'No flag is archived' : 'No archived flag is like that'}>
          {search.query === undefined
            ? 'Archive a flag when the code no longer asks for it; here it can be brought back.'
            : 'Look for fewer words.'}
        </EmptyState>
      )}
      {found !== undefined && found.total > 0 && (
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {found.total === 1 ? '1 archived flag' : `${found.total.toLocaleString()} archived flags`}. Choose some to
            revive them or to delete them for good.
          </Text>
          <ArchiveTable sought={sought} found={found} onRange={look} chosen={chosen} onChoose={setChosen} />
        </>
      )}
      <ChosenBar count={chosen.size} onNone={chooseNone}>
        <ArchivedActions
          projectId={projectId}
          names={[...chosen]}
          size="xs"
          onRevived={chooseNone}
          onDeleted={chooseNone}
        />
      </ChosenBar>
    </Page>
  );
}

interface TableProps {
  readonly sought: Sought;
  readonly found: FoundFlags;
  readonly onRange: (first: number, last: number, focused?: number) => void;
  /** Names of the flags that are chosen. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: Dispatch<SetStateAction<ReadonlySet<string>>>;
}

const columns = 4;

/** Archived flags, of which only those in sight are drawn (ADR 24). */
function ArchiveTable({ sought, found, onRange, chosen, onChoose }: TableProps) {
  const choose = useCallback(
    (name: string, wanted: boolean) => onChoose((before) => withName(before, name, wanted)),
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
            <ChooseAllFlags sought={sought} total={found.total} chosen={chosen} onChoose={onChoose} />
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
          if (flag === undefined) return <MissingLine found={found} index={index} place={place} columns={columns} />;
          return (
            <ArchivedLine
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

interface LineProps extends Omit<ChoosableProps, 'name' | 'children'> {
  readonly flag: FlagRow;
}

const ArchivedLine = memo(function ArchivedLine({ flag, index, measure, chosen, onChoose }: LineProps) {
  return (
    <ChoosableRow name={flag.name} index={index} measure={measure} chosen={chosen} onChoose={onChoose}>
      <Table.Td>
        <FlagName flag={flag} />
      </Table.Td>
      <Table.Td>{flag.archivedAt !== null && <RelativeTime at={flag.archivedAt} />}</Table.Td>
      <Table.Td visibleFrom="sm">{flag.lastSeenAt === null ? 'never' : <RelativeTime at={flag.lastSeenAt} />}</Table.Td>
    </ChoosableRow>
  );
});
