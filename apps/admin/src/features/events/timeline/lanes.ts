import { type Cluster, clustered } from './scale.ts';
import type { TimelineItem } from './timeline-items.ts';

export const lanes = [
  { name: 'signals', label: 'Signals', holds: ['signal'] },
  { name: 'switches', label: 'Flags on and off', holds: ['on', 'off'] },
  { name: 'changes', label: 'Other changes', holds: ['change'] },
] as const;

export type Lane = (typeof lanes)[number];

/** The height of a lane, and of the space above the first lane, in pixels. */
export const laneHeight = 46;
export const top = 4;

/** Items that are drawn as one marker in a lane. */
export interface LaneCluster extends Cluster<TimelineItem> {
  readonly key: string;
  readonly lane: Lane;
}

/**
 * Assigns items to lanes. In each lane, makes one cluster of the items less than `apart` milliseconds after its first
 * item. The clusters are sorted, oldest first.
 */
export function place(items: readonly TimelineItem[], apart: number): LaneCluster[] {
  const cluster = lanes.flatMap((lane) => {
    const own = items.filter(({ kind }) => (lane.holds as readonly string[]).includes(kind));
    return clustered(own, apart).map((cluster) => ({ ...cluster, lane, key: cluster.items[0].key }));
  });
  return cluster.sort((a, b) => a.start - b.start);
}
