import type { RecentQuery } from '@yardarm/contract';
import { atPath, badField } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
import { type ExternalQuery, requireNames, typeOfName } from '../external-metrics/index.ts';
import type { Reader } from '../token-scopes/index.ts';
import { requireMode } from './aggregate.ts';
import type { MetricQuery } from './query.ts';
import { listSeries } from './store.ts';

/**
 * Rejects with 400 when a query, or the metric that it is divided by, cannot be read: no SDK has reported the metric to
 * the reader, or the aggregation does not fit its type. For an external query, checks only the names and the
 * aggregation, because a change does not send requests to the Prometheus server. `path` is the path of the query in the
 * request.
 */
export async function requireRecent(db: Db, reader: Reader, query: RecentQuery, path: string): Promise<void> {
  const { aggregationMode, dividedBy, source } = query;
  const require = (part: MetricQuery) =>
    source === 'external' ? requireExternal(part) : requireReported(db, reader, part);
  await atPath(path, () => require(query));
  if (dividedBy !== undefined) await atPath(`${path}.dividedBy`, () => require({ ...dividedBy, aggregationMode }));
}

async function requireReported(db: Db, reader: Reader, { metricName, aggregationMode }: MetricQuery): Promise<void> {
  const [first] = await listSeries(db, reader, metricName);
  if (first === undefined) throw badField('metricName', 'must be a metric that an SDK has reported');
  requireMode(aggregationMode, first.type);
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
