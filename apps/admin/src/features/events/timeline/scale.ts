/** A time range; both ends in milliseconds. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

const shortest = 2_000;
const longest = 400 * 86_400_000;

/** Zooms a range by `factor` (below 1 zooms in) so that the time `at` stays at its place on the screen. */
export function zoomed({ start, end }: TimeRange, factor: number, at = (start + end) / 2): TimeRange {
  const length = Math.min(longest, Math.max(shortest, (end - start) * factor));
  const before = (at - start) / (end - start);
  const moved = at - before * length;
  return { start: moved, end: moved + length };
}

/** Pans a range by a share of its length; a positive share moves to later times. */
export function panned({ start, end }: TimeRange, share: number): TimeRange {
  const by = (end - start) * share;
  return { start: start + by, end: end + by };
}

/** Returns a range that includes both times, with a margin. */
export function around(first: number, last: number): TimeRange {
  const room = Math.max((last - first) * 0.15, shortest / 2);
  return { start: first - room, end: last + room };
}

/** Returns the range to load: wider than the visible one, and rounded, so that small moves reuse loaded data. */
export function loadedFor({ start, end }: TimeRange): TimeRange {
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
  /** The distance between two ticks. */
  readonly step: number;
  readonly at: readonly number[];
}

/** Returns at most `most` ticks, at full hours and days of a time zone that is `offsetMs` ahead of UTC. */
export function ticksOf({ start, end }: TimeRange, most: number, offsetMs: number): Ticks {
  const step = steps.find((candidate) => (end - start) / candidate <= most) ?? longest;
  const first = Math.ceil((start + offsetMs) / step) * step - offsetMs;
  const count = Math.max(0, Math.floor((end - first) / step) + 1);
  return { step, at: Array.from({ length: count }, (_, index) => first + index * step) };
}

/** Items that are close enough in time to be drawn as one marker. */
export interface Cluster<T> {
  readonly items: readonly [T, ...T[]];
  /** The times of the first and last item. */
  readonly start: number;
  readonly end: number;
}

/**
 * Makes clusters of items that are less than `apart` milliseconds after the first item of their cluster. Input and
 * output are oldest first.
 */
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
