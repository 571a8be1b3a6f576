import { Box } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Axis } from './axis.tsx';
import { Details } from './details.tsx';
import { type Lane, type LaneCluster, laneHeight, lanes, place, top } from './lanes.ts';
import { Marker } from './marker.tsx';
import type { TimeRange } from './scale.ts';
import styles from './timeline.module.css';
import type { Complete, TimelineItem } from './timeline-items.ts';
import { usePanAndZoom } from './use-pan-and-zoom.ts';

interface Props {
  readonly items: readonly TimelineItem[];
  /** The time before which a lane is incomplete, by lane. */
  readonly complete: Complete;
  readonly range: TimeRange;
  /** The key of the open item. */
  readonly selected: string;
  readonly onShow: (range: TimeRange) => void;
  readonly onOpen: (item: TimelineItem) => void;
  /** Called to zoom in on the time between two moments. */
  readonly onCloser: (start: number, end: number) => void;
}

const height = top + lanes.length * laneHeight + 24;

/** The timeline as an axis with lanes, with pan and zoom. */
export function AxisView({ items, complete, range, selected, onShow, onOpen, onCloser }: Props) {
  const { ref: sized, width } = useElementSize();
  const { handlers, ref: handled, selection } = usePanAndZoom(range, width, onShow);
  const ref = useMergedRef(sized, handled);
  const [pointedAt, setPointedAt] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const length = range.end - range.start;
  // Clusters do not depend on the visible range, so they stay stable while panning.
  const clusters = useMemo(() => (width === 0 ? [] : place(items, (24 * length) / width)), [items, length, width]);
  const x = (at: number) => ((at - range.start) / length) * width;
  const inSight = clusters.filter(({ start, end }) => end >= range.start && start <= range.end);
  const detailed = inSight.find(({ key }) => key === (pointedAt ?? focused));
  // Roving tabindex: Tab reaches one marker, and the arrow keys move from it to the others.
  const reachable = inSight.find(({ key }) => key === focused) ?? inSight.at(-1);
  const choose = ({ items: [first, ...others], start, end }: LaneCluster) =>
    others.length === 0 ? onOpen(first) : onCloser(start, end);
  return (
    <Box pos="relative" ref={ref} {...handlers} className={styles.view}>
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG is not a fieldset */}
      <svg
        width="100%"
        height={height}
        role="group"
        aria-label="Signals and changes, oldest first"
        className={styles.plot}
      >
        <Axis range={range} width={width} height={height - 24} complete={complete} />
        {lanes.map((lane, index) => (
          <text key={lane.name} x={4} y={top + index * laneHeight + 11} className={styles.lane}>
            {lane.label}
          </text>
        ))}
        <Causes clusters={inSight} all={clusters} x={x} />
        {inSight.map((cluster) => (
          <Marker
            key={cluster.key}
            cluster={cluster}
            x={x(cluster.start)}
            tail={x(cluster.end) - x(cluster.start)}
            selected={cluster.items.some(({ key }) => key === selected)}
            reachable={cluster === reachable}
            onChoose={() => choose(cluster)}
            onPoint={(pointed) => setPointedAt(pointed ? cluster.key : undefined)}
            onFocus={(gained) => setFocused(gained ? cluster.key : undefined)}
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
        <Details cluster={detailed} x={Math.max(0, x(detailed.start))} width={width} top={bottomOf(detailed.lane)} />
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
  readonly clusters: readonly LaneCluster[];
  readonly all: readonly LaneCluster[];
  readonly x: (at: number) => number;
}

/** Draws a line from each signal to the changes it caused. */
function Causes({ clusters, all, x }: CausesProps) {
  const signals = new Map(
    all
      .filter(({ lane }) => lane.name === 'signals')
      .flatMap((cluster) => cluster.items.map(({ id }) => [id, cluster])),
  );
  const lines = clusters.flatMap((cluster) => {
    const causes = new Set(cluster.items.flatMap(({ cause }) => (cause === null ? [] : (signals.get(cause) ?? []))));
    return [...causes].map((signal) => ({ key: `${signal.key} ${cluster.key}`, signal, cluster }));
  });
  return lines.map(({ key, signal, cluster }) => (
    <line
      key={key}
      x1={x(signal.start)}
      y1={middleOf(signal.lane) + 9}
      x2={x(cluster.start)}
      y2={middleOf(cluster.lane) - 9}
      className={styles.cause}
    />
  ));
}
