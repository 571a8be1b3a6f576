import type { KeyboardEvent } from 'react';
import { formatDateTime } from '../../../ui/dates.ts';
import { Glyph } from './glyphs.tsx';
import { type LaneCluster, laneHeight, lanes, top } from './lanes.ts';
import styles from './timeline.module.css';

interface Props {
  readonly cluster: LaneCluster;
  /** The position `x` of the first item, and the distance `tail` from it to the last item, in pixels. */
  readonly x: number;
  readonly tail: number;
  readonly selected: boolean;
  readonly reachable: boolean;
  readonly onChoose: () => void;
  readonly onPoint: (pointed: boolean) => void;
  readonly onFocus: (gained: boolean) => void;
}

/** A marker for one item, or for a cluster, which shows the number of its items. */
export function Marker({ cluster, x, tail, selected, reachable, onChoose, onPoint, onFocus }: Props) {
  const { items, lane } = cluster;
  const [first, ...others] = items;
  const y = top + lanes.indexOf(lane) * laneHeight + laneHeight / 2 + 4;
  const alike = items.every(({ kind }) => kind === first.kind);
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
    <g
      transform={`translate(${x} ${y})`}
      role="button"
      tabIndex={reachable ? 0 : -1}
      data-marker
      aria-label={nameOf(cluster)}
      className={styles.marker}
      onClick={onChoose}
      onKeyDown={(pressed) => onKey(pressed, onChoose)}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      onFocus={() => onFocus(true)}
      onBlur={() => onFocus(false)}
    >
      <rect x={-12} y={-14} width={24} height={28} className={styles.hit} />
      {(selected || others.length > 0) && tail > 3 && <line x1={0} x2={tail} y1={13} y2={13} className={styles.tail} />}
      {selected && <circle r={13} className={styles.ring} />}
      {others.length === 0 ? (
        <Glyph kind={first.kind} />
      ) : (
        <>
          <circle r={11} className={alike ? styles[first.kind] : styles.mixed} />
          <text y={4} textAnchor="middle" className={items.length > 99 ? styles.many : styles.count}>
            {countText(items.length)}
          </text>
        </>
      )}
    </g>
  );
}

function nameOf({ items: [first, ...others], start, end, lane }: LaneCluster): string {
  if (others.length === 0)
    return [first.title, first.about, first.by, formatDateTime(start)].filter(Boolean).join(', ');
  const items = lane.name === 'signals' ? 'signals' : 'changes';
  return `${countText(others.length + 1)} ${items}, ${formatDateTime(start)} to ${formatDateTime(end)}: zoom in`;
}

/** Opens the marker on Enter and Space; moves the focus to the previous or next marker on arrow keys. */
function onKey(pressed: KeyboardEvent<SVGGElement>, onChoose: () => void): void {
  if (pressed.key === 'Enter' || pressed.key === ' ') {
    pressed.preventDefault();
    onChoose();
    return;
  }
  const by = { ArrowLeft: -1, ArrowRight: 1 }[pressed.key];
  if (by === undefined || pressed.shiftKey) return;
  pressed.preventDefault();
  const all = [...(pressed.currentTarget.ownerSVGElement?.querySelectorAll<SVGGElement>('[data-marker]') ?? [])];
  all[all.indexOf(pressed.currentTarget) + by]?.focus();
}

/** Returns a number as the marker shows it. The accessible name of the marker has to contain the same text. */
function countText(count: number): string {
  return count > 99 ? '99+' : String(count);
}
