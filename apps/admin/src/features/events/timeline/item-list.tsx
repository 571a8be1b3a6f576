import { Anchor, ScrollArea } from '@mantine/core';
import { formatDateTime } from '../../../ui/dates.ts';
import { Listing } from '../../../ui/listing.tsx';
import { Hint, Muted } from '../../../ui/text.tsx';
import { Glyph } from './glyphs.tsx';
import type { TimelineItem } from './timeline-items.ts';

const most = 200;

interface Props {
  /** Oldest first. */
  readonly items: readonly TimelineItem[];
  readonly onOpen: (item: TimelineItem) => void;
}

/** The items of the timeline as a table. */
export function ItemList({ items, onOpen }: Props) {
  if (items.length === 0)
    return (
      <Muted py="lg" ta="center">
        No events or signals in this time.
      </Muted>
    );
  return (
    <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, 'aria-label': 'Events and signals in this time' }}>
      <Listing
        rows={items.slice(-most)}
        rowKey={({ key }) => key}
        spacing={4}
        columns={[
          {
            header: 'Time',
            cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>,
          },
          { header: 'Event', cell: (item) => <Happening item={item} onOpen={onOpen} /> },
          { header: 'By', visibleFrom: 'sm', cell: ({ by }) => by },
        ]}
      />
      {items.length > most && (
        <Hint p="xs">
          Showing the last {most} of {items.length}. Zoom in to see the others.
        </Hint>
      )}
    </ScrollArea.Autosize>
  );
}

function Happening({ item, onOpen }: { readonly item: TimelineItem } & Pick<Props, 'onOpen'>) {
  return (
    <>
      <svg width={14} height={14} viewBox="-9 -9 18 18" aria-hidden style={{ marginInlineEnd: 6 }}>
        <Glyph kind={item.kind} />
      </svg>
      <Anchor component="button" type="button" size="sm" onClick={() => onOpen(item)}>
        {item.title}
      </Anchor>
      <Hint style={{ overflowWrap: 'anywhere' }}>
        {item.about}
        {item.cause !== null && ` · by signal ${item.cause}`}
      </Hint>
    </>
  );
}
