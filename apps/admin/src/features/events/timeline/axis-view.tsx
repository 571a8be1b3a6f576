import { Box } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Axis } from './axis.tsx';
import { Details } from './details.tsx';
import { type Lane, laneHeight, lanes, type Placed, place, top } from './lanes.ts';
import { Marker } from './marker.tsx';
import type { Stretch } from './scale.ts';
import styles from './timeline.module.css';
import type { Complete, TimelineItem } from './timeline-items.ts';
import { useHandling } from './use-handling.ts';

interface Props {
  readonly items: readonly TimelineItem[];
  /** Before these moments not everything is known, by lane. */
  readonly complete: Complete;
  readonly stretch: Stretch;
  /** The key of what is open. */
  readonly selected: string;
  readonly onShow: (stretch: Stretch) => void;
  readonly onOpen: (item: TimelineItem) => void;
  /** Asks to see what is between two moments from closer. */
  readonly onCloser: (start: number, end: number) => void;
}

const height = top + lanes.length * laneHeight + 24;

/** The axis with its lanes, moved and zoomed by hand. */
export function AxisView({ items, complete, stretch, selected, onShow, onOpen, onCloser }: Props) {
  const { ref: sized, width } = useElementSize();
  const { handlers, ref: handled, selection } = useHandling(stretch, width, onShow);
  const ref = useMergedRef(sized, handled);
  const [pointedAt, setPointedAt] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const length = stretch.end - stretch.start;
  // Where the clusters begin does not depend on what is in sight, so they stay whole while the axis is moved.
  const clusters = useMemo(() => (width === 0 ? [] : place(items, (24 * length) / width)), [items, length, width]);
  const x = (at: number) => ((at - stretch.start) / length) * width;
  const inSight = clusters.filter(({ start, end }) => end >= stretch.start && start <= stretch.end);
  const detailed = inSight.find(({ key }) => key === (pointedAt ?? focused));
  // One of them can be reached by the tab key, the others from it.
  const reachable = inSight.find(({ key }) => key === focused) ?? inSight.at(-1);
  const choose = ({ items: [first, ...others], start, end }: Placed) =>
    others.length === 0 ? onOpen(first) : onCloser(start, end);
  return (
    <Box pos="relative" ref={ref} {...handlers} className={styles.view}>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no set of fields */}
      <svg
        width="100%"
        height={height}
        role="group"
        aria-label="Signals and changes, the oldest first"
        className={styles.plot}
      >
        <Axis stretch={stretch} width={width} height={height - 24} complete={complete} />
        {lanes.map((lane, index) => (
          <text key={lane.name} x={4} y={top + index * laneHeight + 11} className={styles.lane}>
            {lane.label}
          </text>
        ))}
        <Causes clusters={inSight} all={clusters} x={x} />
        {inSight.map((placed) => (
          <Marker
            key={placed.key}
            placed={placed}
            x={x(placed.start)}
            tail={x(placed.end) - x(placed.start)}
            selected={placed.items.some(({ key }) => key === selected)}
            reachable={placed === reachable}
            onChoose={() => choose(placed)}
            onPoint={(pointed) => setPointedAt(pointed ? placed.key : undefined)}
            onFocus={(gained) => setFocused(gained ? placed.key : undefined)}
          />
        ))}
        {selection !== undefined && (
          <rect
            x={selection.from}
            width={selection.to - selection.from}
            y={0}
            height={height - 24}
            className={styles.chosen}
          />
        )}
      </svg>
      {detailed !== undefined && (
        <Details placed={detailed} x={Math.max(0, x(detailed.start))} width={width} top={bottomOf(detailed.lane)} />
      )}
    </Box>
  );
}

function bottomOf(lane: Lane): number {
  return top + (lanes.indexOf(lane) + 1) * laneHeight;
}

function middleOf(lane: Lane): number {
  return bottomOf(lane) - laneHeight / 2 + 4;
}

interface CausesProps {
  readonly clusters: readonly Placed[];
  readonly all: readonly Placed[];
  readonly x: (at: number) => number;
}

/** A line from each signal to what it caused. */
function Causes({ clusters, all, x }: CausesProps) {
  const signals = new Map(
    all.filter(({ lane }) => lane.name === 'signals').flatMap((placed) => placed.items.map(({ id }) => [id, placed])),
  );
  const lines = clusters.flatMap((placed) => {
    const causes = new Set(placed.items.flatMap(({ cause }) => (cause === null ? [] : (signals.get(cause) ?? []))));
    return [...causes].map((signal) => ({ key: `${signal.key} ${placed.key}`, signal, placed }));
  });
  return lines.map(({ key, signal, placed }) => (
    <line
      key={key}
      x1={x(signal.start)}
      y1={middleOf(signal.lane) + 9}
      x2={x(placed.start)}
      y2={middleOf(placed.lane) - 9}
      className={styles.cause}
    />
  ));
}
