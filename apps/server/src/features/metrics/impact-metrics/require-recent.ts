import type { MetricType, RecentQuery } from '@yardarm/contract';
import { type ExternalQuery, requireNames, typeOfName } from '#features/metrics/external-metrics/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import { atPath, badField } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { requireMode } from './aggregate.ts';
import type { MetricQuery } from './query.ts';
import { listSeries } from './store.ts';

/**
 * Rejects with 400 when a query, or the metric that it is divided by, can never be read: the name is not that of an
 * impact metric, or the aggregation does not fit its type. A metric that no SDK has reported yet is accepted, so that a
 * plan can be written before the application that reports it is deployed. For an external query, checks only the
 * names and the aggregation, because a change does not send requests to the Prometheus server. `path` is the path of
 * the query in the request. Returns the names of metrics that no SDK has reported yet.
 */
export async function requireRecent(db: Db, reader: Reader, query: RecentQuery, path: string): Promise<string[]> {
  const { aggregationMode, dividedBy, source } = query;
  const unreported: string[] = [];
  const require = async (part: MetricQuery) => {
    if (source === 'external') return requireExternal(part);
    if (!(await requireReadable(db, reader, part))) unreported.push(part.metricName);
  };
  await atPath(path, () => require(query));
  if (dividedBy !== undefined) await atPath(`${path}.dividedBy`, () => require({ ...dividedBy, aggregationMode }));
  return unreported;
}

/** Returns whether an SDK has reported the metric. */
async function requireReadable(db: Db, reader: Reader, { metricName, aggregationMode }: MetricQuery): Promise<boolean> {
  const [first] = await listSeries(db, reader, metricName);
  const type = first?.type ?? typeOfUnreported(metricName);
  if (type === undefined)
    throw badField(
      'metricName',
      'must be a metric that an SDK has reported, or begin with unleash_counter_, unleash_gauge_ or unleash_histogram_',
    );
  requireMode(aggregationMode, type);
  return first !== undefined;
}

/** Returns the type of a metric that no SDK has reported, by the prefix that its name will have. */
function typeOfUnreported(metricName: string): MetricType | undefined {
  return /^unleash_(counter|gauge|histogram)_./.exec(metricName)?.[1] as MetricType | undefined;
}

/**
 * Rejects with 400 when Prometheus would not allow a name, or when the aggregation does not fit the type that the name
 * of the metric implies.
 */
export async function requireExternal(query: ExternalQuery): Promise<void> {
  requireNames(query);
  const type = typeOfName(query.metricName);
  if (type !== undefined) requireMode(query.aggregationMode, type);
}
