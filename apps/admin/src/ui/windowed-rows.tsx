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

/** The props of a row in a windowed table: its ref for measuring, and its index. */
export interface RowPlace {
  readonly ref: Ref<HTMLTableRowElement>;
  readonly 'data-index': number;
  readonly 'aria-rowindex': number;
}

interface Props {
  readonly count: number;
  /** The estimated height in pixels of a row that has not been rendered. */
  readonly rowHeight: number;
  /** The number of columns of the table. */
  readonly columns: number;
  /** Renders a `Table.Tr` with the given props. */
  readonly row: (index: number, place: RowPlace) => ReactNode;
  /** Called when the first or last visible row (from 0) or the row with the focus changes. */
  readonly onRange?: (first: number, last: number, focused?: number) => void;
}

/**
 * The body of a table of any length. Renders only the visible rows, but the page scrolls as if all rows were rendered.
 * The row with the focus stays rendered, so that keyboard navigation continues from it. The table needs
 * `aria-rowcount`, for screen readers, and a fixed layout, so that the width of columns does not depend on the rows in
 * view.
 *
 * Drawing all of 5,000 flags blocks the browser, and pages of 50 take a hundred clicks. Rows are read by offset, so
 * that the scroll bar can be dragged to any of them; the browser's own search finds only rows in view.
 */
export function WindowedRows({ count, rowHeight, columns, row, onRange }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number>();
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => rowHeight,
    scrollMargin: useTop(body),
    overscan: 10,
    rangeExtractor: (range) => withIncluded(range, focused),
    useFlushSync: false,
  });
  const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
  useEffect(() => onRange?.(startIndex, endIndex, focused), [onRange, startIndex, endIndex, focused]);
  const drawn = rows.getVirtualItems();
  const { scrollMargin } = rows.options;
  const size = rows.getTotalSize();
  // Deferred, so that scrolling is not blocked while rows render.
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

/** Returns the indexes of the visible rows, and `index` if it is another one. */
function withIncluded(range: Range, index: number | undefined): number[] {
  const shown = defaultRangeExtractor(range);
  if (index === undefined || index >= range.count || shown.includes(index)) return shown;
  return [...shown, index].toSorted((a, b) => a - b);
}

function rowOf({ target }: FocusEvent): number | undefined {
  const index = target.closest<HTMLElement>('tr[data-index]')?.dataset.index;
  return index === undefined ? undefined : Number(index);
}

/** Fills the space of rows that are not rendered. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden style={{ border: 0 }}>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

/**
 * Returns the distance in pixels between the top of the page and the element, and updates it when the layout changes.
 */
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
