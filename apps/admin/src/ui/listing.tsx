import { type MantineBreakpoint, Table } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NoMatch } from './empty-state.tsx';
import { Failure } from './failure.tsx';
import { TableSkeleton } from './page.tsx';
import { RowMenu, type RowMenuProps } from './row-menu.tsx';

/** A column of a {@link Listing}. */
export interface Column<Row> {
  readonly header?: ReactNode;
  /** The name of a column without a visible header, for screen readers. */
  readonly label?: string;
  readonly cell: (row: Row) => ReactNode;
  /** The column is hidden on screens narrower than this breakpoint. */
  readonly visibleFrom?: MantineBreakpoint;
  /** The column is hidden on screens that reach this breakpoint. */
  readonly hiddenFrom?: MantineBreakpoint;
  /** The width in pixels; the browser chooses it when absent. */
  readonly width?: number;
  readonly align?: 'right';
  /**
   * Whether long values break nowhere (`never`), or inside words too (`anywhere`). By default they break between words.
   */
  readonly breaks?: 'never' | 'anywhere';
}

export interface ListingProps<Row> {
  /** The query that loads the rows. A skeleton is shown while it is pending, and its error when it fails. */
  readonly query?: Pick<UseQueryResult, 'error' | 'isPending' | 'refetch'>;
  /** Undefined until the rows are loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string | number;
  readonly columns: readonly Column<Row>[];
  /** The menu at the end of a row. */
  readonly menu?: (row: Row) => RowMenuProps;
  /** Shown when there are no rows at all. */
  readonly empty?: ReactNode;
  /** The plural name of the rows, for "No segments match."; given only while a search or filter is set. */
  readonly filtered?: string | undefined;
  /** The number of rows in the skeleton. */
  readonly skeletonRows?: number;
  readonly spacing?: 'xs' | 'sm' | number;
  readonly highlightOnHover?: boolean;
  /** The table scrolls sideways on screens narrower than this, in pixels. */
  readonly minWidth?: number;
}

/** A table of rows with its loading, empty and no-match states. Long tables use {@link WindowedRows} instead. */
export function Listing<Row>({ query, rows, empty, filtered, skeletonRows = 6, ...table }: ListingProps<Row>) {
  return (
    <>
      {query !== undefined && query.error !== null && (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query?.isPending === true && <TableSkeleton rows={skeletonRows} />}
      {rows?.length === 0 && (filtered === undefined ? empty : <NoMatch plural={filtered} />)}
      {rows !== undefined && rows.length > 0 && <Rows rows={rows} {...table} />}
    </>
  );
}

type RowsProps<Row> = Pick<
  ListingProps<Row>,
  'rowKey' | 'columns' | 'menu' | 'spacing' | 'highlightOnHover' | 'minWidth'
> & { readonly rows: readonly Row[] };

function Rows<Row>({
  rows,
  rowKey,
  columns,
  menu,
  spacing = 'sm',
  highlightOnHover = false,
  minWidth = 320,
}: RowsProps<Row>) {
  const hasHeader =
    menu !== undefined || columns.some(({ header, label }) => header !== undefined || label !== undefined);
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table verticalSpacing={spacing} highlightOnHover={highlightOnHover}>
        {hasHeader && (
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <Table.Th key={index} {...layoutOf(column)} aria-label={column.label}>
                  {column.header}
                </Table.Th>
              ))}
              {menu !== undefined && <Table.Th w={56} aria-label="Actions" />}
            </Table.Tr>
          </Table.Thead>
        )}
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <Table.Td key={index} {...layoutOf(column)} style={breakStyles[column.breaks ?? 'words']}>
                  {column.cell(row)}
                </Table.Td>
              ))}
              {menu !== undefined && (
                <Table.Td>
                  <RowMenu {...menu(row)} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const breakStyles = { never: { whiteSpace: 'nowrap' }, anywhere: { overflowWrap: 'anywhere' }, words: {} } as const;

function layoutOf<Row>({ width, align, visibleFrom, hiddenFrom }: Column<Row>) {
  return {
    ...(width === undefined ? {} : { w: width }),
    ...(align === undefined ? {} : { ta: align }),
    ...(visibleFrom === undefined ? {} : { visibleFrom }),
    ...(hiddenFrom === undefined ? {} : { hiddenFrom }),
  };
}
