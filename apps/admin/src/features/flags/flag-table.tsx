import { Box, Group, Table, UnstyledButton, useMatches } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useCallback } from 'react';
import { WindowedRows } from '../../ui/windowed-rows.tsx';
import type { ColumnName } from './column-choice.tsx';
import type { FlagSearch, FlagSearchChange } from './flag-search.ts';
import type { FlagListQuery } from './flag-search-query.ts';
import { FlagTableRow, lineHeight, PlaceholderRow, stackedLineHeight } from './flag-table-row.tsx';
import { SelectAllFlags } from './select-all-flags.tsx';
import type { FlagResults } from './use-flag-results.ts';

interface Props {
  readonly listQuery: FlagListQuery;
  readonly found: FlagResults;
  readonly environments: readonly string[];
  readonly columns: readonly ColumnName[];
  /** The names of the selected flags. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  readonly onSearch: (change: FlagSearchChange) => void;
  /** Called with the visible rows and the row with the focus. */
  readonly onRange: (first: number, last: number, focused?: number) => void;
}

/**
 * Column widths in pixels. The layout is fixed, because automatic widths would change while scrolling; the name takes
 * the rest.
 */
const widths = {
  box: 40,
  name: 180,
  type: 96,
  tags: 140,
  lifecycle: 100,
  createdAt: 128,
  lastSeenAt: 128,
  environment: 124,
};

/** The windowed table of a project's flags, with switches. */
export function FlagTable({ listQuery, found, environments, columns, chosen, onChoose, onSearch, onRange }: Props) {
  const has = (column: ColumnName) => columns.includes(column);
  const choose = useCallback(
    (name: string, selected: boolean) => onChoose((before) => withName(before, name, selected)),
    [onChoose],
  );
  const { ref, shown, stacked, count, width, fits } = useLayout(has('environments') ? environments : none, columns);
  return (
    // An element cannot scroll sideways and have a sticky header: the header sticks only where the table fits.
    <Box
      ref={ref}
      role="region"
      aria-label="Flags"
      style={{ overflowX: fits ? 'visible' : 'auto' }}
      {...(fits ? {} : { tabIndex: 0 })}
    >
      <Table
        highlightOnHover
        verticalSpacing="xs"
        layout="fixed"
        miw={width}
        stickyHeader={fits}
        stickyHeaderOffset={56}
        aria-rowcount={found.total + 1}
      >
        <Header
          listQuery={listQuery}
          total={found.total}
          environments={shown}
          has={has}
          chosen={chosen}
          onChoose={onChoose}
          onSearch={onSearch}
        />
        <WindowedRows
          count={found.total}
          rowHeight={stacked.length > 0 ? stackedLineHeight : lineHeight}
          columns={count}
          onRange={onRange}
          row={(index, place) => {
            const flag = found.flagAt(index);
            if (flag === undefined) return <PlaceholderRow found={found} index={index} place={place} columns={count} />;
            return (
              <FlagTableRow
                flag={flag}
                measure={place.ref}
                index={index}
                environments={shown}
                stacked={stacked}
                columns={columns}
                chosen={chosen.has(flag.name)}
                onChoose={choose}
              />
            );
          }}
        />
      </Table>
    </Box>
  );
}

/**
 * Returns the columns that fit. On small screens, the switches of `stacked` environments are shown below the flag name
 * instead of in columns.
 */
function useLayout(environments: readonly string[], columns: readonly ColumnName[]) {
  const isWide = useMatches({ base: false, md: true });
  const hasStar = useMatches({ base: false, sm: true });
  const { ref, width: room } = useElementSize();
  const boxes = hasStar ? 2 : 1;
  const fixed = boxes * widths.box + widths.name;
  const stacks = !isWide && room < fixed + environments.length * widths.environment;
  const [shown, stacked] = stacks ? [none, environments] : [environments, none];
  const wide = isWide
    ? (['type', 'tags', 'lifecycle', 'createdAt', 'lastSeenAt'] as const).filter((column) => columns.includes(column))
    : [];
  // The colspan of rows: it has to be exact, because a larger colspan would add columns.
  const count = boxes + 1 + wide.length + shown.length;
  const width = wide.reduce((sum, column) => sum + widths[column], fixed + shown.length * widths.environment);
  return { ref, shown, stacked, count, width, fits: room >= width };
}

const none: readonly string[] = [];

/** Returns the selection with a name added or removed. */
export function withName(before: ReadonlySet<string>, name: string, selected: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (selected) after.add(name);
  else after.delete(name);
  return after;
}

type HeaderProps = Pick<Props, 'listQuery' | 'environments' | 'chosen' | 'onChoose' | 'onSearch'> & {
  readonly total: number;
  readonly has: (column: ColumnName) => boolean;
};

function Header({ listQuery, total, environments, has, chosen, onChoose, onSearch }: HeaderProps) {
  const header = { search: listQuery.search, onSearch };
  return (
    <Table.Thead>
      <Table.Tr aria-rowindex={1}>
        <Table.Th w={widths.box}>
          <SelectAllFlags listQuery={listQuery} total={total} chosen={chosen} onChoose={onChoose} />
        </Table.Th>
        <Table.Th w={widths.box} visibleFrom="sm" aria-label="Favorite" />
        <SortHeader {...header} sort="name" label="Name" />
        {has('type') && <SortHeader {...header} sort="type" label="Type" width={widths.type} />}
        {has('tags') && (
          <Table.Th visibleFrom="md" w={widths.tags}>
            Tags
          </Table.Th>
        )}
        {has('lifecycle') && (
          <Table.Th visibleFrom="md" w={widths.lifecycle}>
            Lifecycle
          </Table.Th>
        )}
        {has('createdAt') && <SortHeader {...header} sort="createdAt" label="Created" width={widths.createdAt} />}
        {has('lastSeenAt') && <SortHeader {...header} sort="lastSeenAt" label="Last seen" width={widths.lastSeenAt} />}
        {environments.map((environment) => (
          <Table.Th key={environment} w={widths.environment} style={{ overflowWrap: 'anywhere' }}>
            {environment}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

interface SortProps {
  readonly search: FlagSearch;
  readonly sort: NonNullable<FlagSearch['sort']>;
  readonly label: string;
  /** The width in pixels. Columns with a width are hidden on small screens, so that the switches are visible. */
  readonly width?: number;
  readonly onSearch: (change: FlagSearchChange) => void;
}

function SortHeader({ search, sort, label, width, onSearch }: SortProps) {
  const current = (search.sort ?? 'name') === sort;
  const desc = current && search.desc === true;
  // The first click sorts times newest first, and names alphabetically. The next click reverses the order.
  const next = current ? !desc : sort.endsWith('At');
  return (
    <Table.Th
      aria-sort={current ? (desc ? 'descending' : 'ascending') : undefined}
      {...(width === undefined ? {} : { visibleFrom: 'md', w: width })}
    >
      <UnstyledButton
        fw={700}
        fz="sm"
        onClick={() => onSearch({ sort: sort === 'name' ? undefined : sort, desc: next ? true : undefined })}
      >
        <Group gap={4} wrap="nowrap">
          {label}
          {current && (desc ? <IconChevronDown size={14} aria-hidden /> : <IconChevronUp size={14} aria-hidden />)}
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
