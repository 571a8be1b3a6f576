import { type Cluster, clustered } from './scale.ts';
import type { TimelineItem } from './timeline-items.ts';

export const lanes = [
  { name: 'signals', label: 'Signals', holds: ['signal'] },
  { name: 'switches', label: 'Flags on and off', holds: ['on', 'off'] },
  { name: 'changes', label: 'Other changes', holds: ['change'] },
] as const;

export type Lane = (typeof lanes)[number];

/** Of one lane, and of what is above the first. In pixels. */
export const laneHeight = 46;
export const top = 4;

/** What is drawn as one, in its lane. */
export interface Placed extends Cluster<TimelineItem> {
  readonly key: string;
  readonly lane: Lane;
}

/** What is drawn in which lane, the oldest first; what happened within `apart` milliseconds is drawn as one. */
export function place(items: readonly TimelineItem[], apart: number): Placed[] {
  const placed = lanes.flatMap((lane) => {
    const own = items.filter(({ kind }) => (lane.holds as readonly string[]).includes(kind));
    return clustered(own, apart).map((cluster) => ({ ...cluster, lane, key: cluster.items[0].key }));
  });
  return placed.sort((a, b) => a.start - b.start);
}
