import { Paper } from '@mantine/core';
import { formatTime, formatWithRelative } from '../../../ui/dates.ts';
import { Hint, RowName } from '../../../ui/text.tsx';
import { Glyph } from './glyphs.tsx';
import type { LaneCluster } from './lanes.ts';
import styles from './timeline.module.css';
import type { TimelineItem } from './timeline-items.ts';

interface Props {
  readonly cluster: LaneCluster;
  /** The position of the marker and the available width, in pixels. */
  readonly x: number;
  readonly top: number;
  readonly width: number;
}

const listed = 6;
const most = 320;

/** Describes the hovered or focused marker. Screen readers get the same text as the marker's name. */
export function Details({ cluster: { items, start }, x, top, width }: Props) {
  const wide = Math.min(most, width);
  return (
    <Paper
      withBorder
      shadow="md"
      p="xs"
      className={styles.details}
      style={{ top, left: Math.min(Math.max(0, x - wide / 2), width - wide), width: wide }}
      aria-hidden
    >
      <Hint>{formatWithRelative(start)}</Hint>
      {items.slice(0, listed).map((item) => (
        <Line key={item.key} item={item} withTime={items.length > 1} />
      ))}
      {items.length > listed && <Hint>and {items.length - listed} more: click to zoom in</Hint>}
    </Paper>
  );
}

function Line({ item, withTime }: { readonly item: TimelineItem; readonly withTime: boolean }) {
  return (
    <div className={styles.line}>
      <svg width={14} height={14} viewBox="-9 -9 18 18" aria-hidden>
        <Glyph kind={item.kind} />
      </svg>
      <div>
        <RowName lh={1.3}>{item.title}</RowName>
        <Hint style={{ overflowWrap: 'anywhere' }}>
          {[withTime ? formatTime(item.at) : '', item.about, item.by].filter((part) => part !== '').join(' · ')}
          {item.cause !== null && ` · signal ${item.cause}`}
        </Hint>
      </div>
    </div>
  );
}
