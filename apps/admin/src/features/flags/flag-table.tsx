import { Box, Group, Table, UnstyledButton, useMatches } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useCallback } from 'react';
import { WindowedRows } from '../../ui/windowed-rows.tsx';
import { ChooseAllFlags } from './choose-all-flags.tsx';
import type { ColumnName } from './column-choice.tsx';
import { FlagLine, lineHeight, MissingLine, stackedLineHeight } from './flag-line.tsx';
import type { FlagSearch, FlagSearchChange } from './flag-search.ts';
import type { Sought } from './flag-search-query.ts';
import type { FoundFlags } from './use-found-flags.ts';

interface Props {
  readonly sought: Sought;
  readonly found: FoundFlags;
  readonly environments: readonly string[];
  readonly columns: readonly ColumnName[];
  /** Names of the flags that are chosen. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  readonly onSearch: (change: FlagSearchChange) => void;
  /** Told which rows are in sight, and which has the focus. */
  readonly onRange: (first: number, last: number, focused?: number) => void;
}

/** In pixels. The layout is fixed, or columns would change their width with the rows in sight; the name has what is left. */
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

/** Flags of a project, one in a row, switched in place. However many there are, only those in sight are drawn. */
export function FlagTable({ sought, found, environments, columns, chosen, onChoose, onSearch, onRange }: Props) {
  const has = (column: ColumnName) => columns.includes(column);
  const choose = useCallback(
    (name: string, wanted: boolean) => onChoose((before) => withName(before, name, wanted)),
    [onChoose],
  );
  const { ref, shown, stacked, count, width, fits } = useLayout(has('environments') ? environments : none, columns);
  return (
    // The header stays in sight where nothing has to be scrolled sideways: one element cannot do both.
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
          sought={sought}
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
            if (flag === undefined) return <MissingLine found={found} index={index} place={place} columns={count} />;
            return (
              <FlagLine
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
 * Which columns there is room for. On small screens on which the environments would not all be in sight, `stacked` are those whose
 * switches stand below the name of a flag, and `shown` has none.
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
    ? (['type', 'tags', 'lifecycle', 'createdAt', 'lastSeenAt'] as const).filter((one) => columns.includes(one))
    : [];
  // A cell that spans more would make columns of its own.
  const count = boxes + 1 + wide.length + shown.length;
  const width = wide.reduce((sum, column) => sum + widths[column], fixed + shown.length * widths.environment);
  return { ref, shown, stacked, count, width, fits: room >= width };
}

const none: readonly string[] = [];

/** The names that are chosen once one more is, or no longer. */
export function withName(before: ReadonlySet<string>, name: string, wanted: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (wanted) after.add(name);
  else after.delete(name);
  return after;
}

type HeaderProps = Pick<Props, 'sought' | 'environments' | 'chosen' | 'onChoose' | 'onSearch'> & {
  readonly total: number;
  readonly has: (column: ColumnName) => boolean;
};

function Header({ sought, total, environments, has, chosen, onChoose, onSearch }: HeaderProps) {
  const header = { search: sought.search, onSearch };
  return (
    <Table.Thead>
      <Table.Tr aria-rowindex={1}>
        <Table.Th w={widths.box}>
          <ChooseAllFlags sought={sought} total={total} chosen={chosen} onChoose={onChoose} />
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
  /** Those that are given one are left out on small screens, so that the switches are in sight. */
  readonly width?: number;
  readonly onSearch: (change: FlagSearchChange) => void;
}

function SortHeader({ search, sort, label, width, onSearch }: SortProps) {
  const current = (search.sort ?? 'name') === sort;
  const desc = current && search.desc === true;
  // Times are asked for with the latest first; names from their beginning.
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
