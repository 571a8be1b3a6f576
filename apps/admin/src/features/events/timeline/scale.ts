/** A stretch of time, both ends in milliseconds. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const shortest = 2_000;
const longest = 400 * 86_400_000;

/** The stretch `factor` times as long (so smaller than 1 is closer), with what is at `at` staying where it is. */
export function zoomed({ start, end }: Stretch, factor: number, at = (start + end) / 2): Stretch {
  const length = Math.min(longest, Math.max(shortest, (end - start) * factor));
  const before = (at - start) / (end - start);
  const moved = at - before * length;
  return { start: moved, end: moved + length };
}

/** The stretch, moved by a share of its length; to the right is later. */
export function panned({ start, end }: Stretch, share: number): Stretch {
  const by = (end - start) * share;
  return { start: start + by, end: end + by };
}

/** A stretch that holds both moments, with room around them. */
export function around(first: number, last: number): Stretch {
  const room = Math.max((last - first) * 0.15, shortest / 2);
  return { start: first - room, end: last + room };
}

/** A little more than the stretch, and the same for stretches close to it, so that moving a little asks for nothing new. */
export function loadedFor({ start, end }: Stretch): Stretch {
  const step = 2 ** Math.ceil(Math.log2((end - start) / 4));
  return { start: (Math.floor(start / step) - 1) * step, end: (Math.ceil(end / step) + 1) * step };
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const steps = [
  ...[1, 5, 15, 30].map((n) => n * second),
  ...[1, 5, 15, 30].map((n) => n * minute),
  ...[1, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 7, 14, 30, 90].map((n) => n * day),
];

export interface Ticks {
  /** Between two of them. */
  readonly step: number;
  readonly at: readonly number[];
}

/**
 * Moments to write at an axis, at most `most` of them: full hours and the like in a time zone that is `offsetMs` ahead of
 * UTC.
 */
export function ticksOf({ start, end }: Stretch, most: number, offsetMs: number): Ticks {
  const step = steps.find((one) => (end - start) / one <= most) ?? longest;
  const first = Math.ceil((start + offsetMs) / step) * step - offsetMs;
  const count = Math.max(0, Math.floor((end - first) / step) + 1);
  return { step, at: Array.from({ length: count }, (_, index) => first + index * step) };
}

/** Things that happened so close to each other that they are drawn as one. */
export interface Cluster<T> {
  readonly items: readonly [T, ...T[]];
  /** Of the first and of the last of them. */
  readonly start: number;
  readonly end: number;
}

/** Puts together what happened less than `apart` milliseconds after the first of a cluster. Takes and answers the oldest first. */
export function clustered<T extends { readonly at: number }>(items: readonly T[], apart: number): Cluster<T>[] {
  const clusters: { items: [T, ...T[]]; start: number; end: number }[] = [];
  for (const item of items) {
    const last = clusters.at(-1);
    if (last !== undefined && item.at - last.start < apart) {
      last.items.push(item);
      last.end = item.at;
    } else clusters.push({ items: [item], start: item.at, end: item.at });
  }
  return clusters;
}
