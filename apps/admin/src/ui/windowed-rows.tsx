import { Table } from '@mantine/core';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  Fragment,
  type ReactNode,
  type Ref,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

/** What a row of a windowed table has to bear: where it stands, for assistive technology too, and how high it came out. */
export interface RowPlace {
  readonly ref: Ref<HTMLTableRowElement>;
  readonly 'data-index': number;
  readonly 'aria-rowindex': number;
}

interface Props {
  readonly count: number;
  /** In pixels, of a row that has not been drawn yet. */
  readonly rowHeight: number;
  /** How many columns the table has. */
  readonly columns: number;
  /** A `Table.Tr` with the place that it is given; it is drawn anew only when what it is given changes. */
  readonly row: (index: number, place: RowPlace) => ReactNode;
  /** Told, whenever they are others, the first and the last row in sight, counted from 0, and the one that has the focus or had it last. */
  readonly onRange?: (first: number, last: number, focused?: number) => void;
}

/**
 * The body of a table of any length, of which only the rows in sight are drawn; the page scrolls as if all were. The row
 * that has the focus stays, so that going on by keyboard works wherever one has scrolled to. The table needs
 * `aria-rowcount` and a fixed layout (ADR 24).
 */
export function WindowedRows({ count, rowHeight, columns, row, onRange }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number>();
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => rowHeight,
    scrollMargin: useTop(body),
    overscan: 10,
    rangeExtractor: (range) => withRow(range, focused),
    useFlushSync: false,
  });
  const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
  useEffect(() => onRange?.(startIndex, endIndex, focused), [onRange, startIndex, endIndex, focused]);
  const drawn = rows.getVirtualItems();
  const { scrollMargin } = rows.options;
  const size = rows.getTotalSize();
  // Scrolling goes on while rows are drawn, which is done in parts.
  const { items, top, end } = useDeferredValue(
    useMemo(() => ({ items: drawn, top: scrollMargin, end: scrollMargin + size }), [drawn, scrollMargin, size]),
  );
  return (
    <Table.Tbody ref={body} onFocus={(event) => setFocused(rowOf(event) ?? focused)}>
      {items.map(({ key, index, start }, at) => (
        <Fragment key={key}>
          <Gap height={start - (items[at - 1]?.end ?? top)} columns={columns} />
          {row(index, { ref: rows.measureElement, 'data-index': index, 'aria-rowindex': index + 2 })}
        </Fragment>
      ))}
      <Gap height={end - (items.at(-1)?.end ?? end)} columns={columns} />
    </Table.Tbody>
  );
}

/** The rows in sight, and one more. */
function withRow(range: Range, index: number | undefined): number[] {
  const shown = defaultRangeExtractor(range);
  if (index === undefined || index >= range.count || shown.includes(index)) return shown;
  return [...shown, index].toSorted((one, other) => one - other);
}

function rowOf({ target }: FocusEvent): number | undefined {
  const index = target.closest<HTMLElement>('tr[data-index]')?.dataset.index;
  return index === undefined ? undefined : Number(index);
}

/** Holds the place of rows that are not drawn. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden style={{ border: 0 }}>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

/** How far below the top of the page something begins, in pixels; followed while what is above it grows or shrinks. */
function useTop(of: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((of.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [of]);
  return top;
}
