import { type AggregationMode, type MetricType, modesOfType } from '@yardarm/contract';
import { badField } from '#kernel/errors.ts';
import type { Cell } from './store.ts';

/** Rejects with 400 when an aggregation does not fit a type of metric. */
export function requireMode(mode: AggregationMode, type: MetricType): void {
  const modes: readonly AggregationMode[] = modesOfType[type];
  if (!modes.includes(mode)) throw badField('aggregationMode', `must be one of ${modes.join(', ')} for a ${type}`);
}

/**
 * Returns the value of a metric in a step of `seconds`, from the sums of its parts in the step. Undefined when the step
 * has no samples, a histogram has no observations, or the value is beyond the range of numbers, which JSON cannot hold.
 */
export function aggregate(
  cells: readonly Cell[],
  mode: AggregationMode,
  type: MetricType,
  seconds: number,
): number | undefined {
  const value = valueInStep(cells, mode, type, seconds);
  return Number.isFinite(value) ? value : undefined;
}

function valueInStep(
  cells: readonly Cell[],
  mode: AggregationMode,
  type: MetricType,
  seconds: number,
): number | undefined {
  const cell = cells.find(({ part }) => part === (type === 'histogram' ? 'count' : ''));
  if (cell === undefined) return undefined;
  if (type === 'gauge') return mode === 'sum' ? cell.total / cell.minutes : cell.total / cell.samples;
  if (mode === 'rps') return cell.total / seconds;
  if (mode === 'count' || type === 'counter') return cell.total;
  const sum = cells.find(({ part }) => part === 'sum')?.total ?? 0;
  if (mode === 'sum') return sum;
  if (cell.total === 0) return undefined;
  return mode === 'avg' ? sum / cell.total : quantile(cells, quantiles[mode]);
}

const quantiles = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/**
 * Estimates a quantile as Prometheus does: assumes that values are spread evenly within their bucket. For a quantile in
 * the bucket without an upper limit, returns the highest limit.
 */
function quantile(cells: readonly Cell[], q: number): number | undefined {
  const buckets = cells
    .filter(({ part }) => part !== 'count' && part !== 'sum')
    .map(({ part, total }) => ({ limit: part === '+Inf' ? Number.POSITIVE_INFINITY : Number(part), count: total }))
    .toSorted((a, b) => a.limit - b.limit);
  const rank = q * (buckets.at(-1)?.count ?? 0);
  const index = buckets.findIndex(({ count }) => count >= rank && count > 0);
  const bucket = buckets[index];
  if (bucket === undefined) return undefined;
  const below = buckets[index - 1] ?? { limit: Math.min(0, bucket.limit), count: 0 };
  if (bucket.limit === Number.POSITIVE_INFINITY) return index === 0 ? undefined : below.limit;
  const within = bucket.count - below.count;
  return within === 0 ? bucket.limit : below.limit + (bucket.limit - below.limit) * ((rank - below.count) / within);
}
