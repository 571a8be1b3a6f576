import type { MetricType } from '@yardarm/contract';
import { type Reader, readableBy, saveScopes, type TokenScope } from '#features/people/token-scopes/index.ts';
import { anyTexts, jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import { type Db, sql, type Tx } from '#storage/tx.ts';
import type { Reported, Series } from './report.ts';
import { Share } from './share.ts';

/** A value added to a series in a minute; for a gauge, its last value. `minute` is the start in milliseconds UTC. */
export interface Sample extends Reported {
  readonly minute: number;
}

/** The sums of one part of a metric in one step, over all selected series. */
export interface Cell {
  readonly part: string;
  /** The start of the step, in milliseconds UTC. */
  readonly at: number;
  readonly total: number;
  readonly samples: number;
  readonly minutes: number;
}

const rowsPerStatement = 500;
const labelsColumn = jsonColumn('impact_series.labels', anyTexts);

/**
 * Adds samples to the stored ones. Leaves out new series beyond `limit`; returns the number of samples left out. Rows
 * are written in the order of their keys, so that two processes cannot deadlock.
 */
export async function addSamples(tx: Tx, samples: readonly Sample[], limit: number): Promise<number> {
  const admitted = await admit(tx.db, new Map(samples.map(({ series, scope }) => [series.id, scope])), limit);
  const kept = samples
    .filter(({ series }) => admitted.has(series.id))
    .toSorted((a, b) => compare(a.series.id, b.series.id) || a.minute - b.minute);
  await saveScopes(
    tx,
    kept.map(({ scope }) => scope),
  );
  const [gauges, sums] = [kept.filter(isGauge), kept.filter((sample) => !isGauge(sample))];
  await writeSeries(tx, gauges, sql<number>`excluded.total`);
  await writeSeries(tx, sums, sql<number>`impact_series.total + excluded.total`);
  await writeSamples(tx, gauges, sql<number>`excluded.value`);
  await writeSamples(tx, sums, sql<number>`impact_samples.value + excluded.value`);
  return samples.length - kept.length;
}

function isGauge({ series }: Sample): boolean {
  return series.type === 'gauge';
}

/** Returns the ids that may be written: those of stored series, and of new ones while there is room for their scope. */
async function admit(db: Db, scopes: ReadonlyMap<string, TokenScope>, limit: number): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const part of chunks([...scopes.keys()])) {
    const rows = await db.selectFrom('impact_series').select('id').where('id', 'in', part).execute();
    for (const { id } of rows) known.add(id);
  }
  if (known.size === scopes.size) return known;
  const stored = await db
    .selectFrom('impact_series')
    .select(['scope', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('scope')
    .execute();
  const share = new Share(
    limit,
    stored.map(({ scope, count }) => [scope, Number(count)]),
  );
  const fresh = [...scopes].filter(([id, scope]) => !known.has(id) && share.take(scope)).map(([id]) => id);
  return new Set([...known, ...fresh]);
}

type Sum = ReturnType<typeof sql<number>>;

async function writeSeries(tx: Tx, samples: readonly Sample[], total: Sum): Promise<void> {
  // PostgreSQL refuses to change a row twice in one statement, so the samples of a series are merged into one row.
  const rows = new Map<string, Row<'impact_series'>>();
  for (const sample of samples) {
    const before = rows.get(sample.series.id)?.total ?? 0;
    const value = isGauge(sample) ? sample.value : before + sample.value;
    rows.set(sample.series.id, toRow(sample, value, tx.now));
  }
  for (const part of chunks([...rows.values()])) {
    await tx.db
      .insertInto('impact_series')
      .values(part)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ total, updated_at: tx.now, help: sql<string>`excluded.help` }),
      )
      .execute();
  }
}

async function writeSamples(tx: Tx, samples: readonly Sample[], value: Sum): Promise<void> {
  for (const part of chunks(samples)) {
    await tx.db
      .insertInto('impact_samples')
      .values(part.map((sample) => ({ series_id: sample.series.id, minute: sample.minute, value: sample.value })))
      .onConflict((conflict) => conflict.columns(['series_id', 'minute']).doUpdateSet({ value }))
      .execute();
  }
}

/** A stored series. */
export interface StoredSeries extends Series {
  readonly total: number;
  /** The time of the last report, in milliseconds UTC. */
  readonly updatedAt: number;
}

/** Returns the series of a metric, or of all metrics, that a reader may read, ordered by name and labels. */
export async function listSeries(db: Db, reader: Reader, metricName?: string): Promise<StoredSeries[]> {
  const select = db
    .selectFrom('impact_series')
    .selectAll()
    .where(readableBy(reader, 'impact_series.scope'))
    .orderBy('metric_name')
    .orderBy('labels')
    .orderBy('id');
  const rows = await (metricName === undefined ? select : select.where('metric_name', '=', metricName)).execute();
  return rows.map((row) => ({
    id: row.id,
    metricName: row.metric_name,
    type: row.type as MetricType,
    help: row.help,
    part: row.part,
    labels: labelsColumn.parse(row.labels, row.id),
    total: row.total,
    updatedAt: row.updated_at,
  }));
}

/** Returns the sums of series in steps of `stepMs`, from `from` until before `to`; times in milliseconds UTC. */
export async function sumSamples(
  db: Db,
  ids: readonly string[],
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
): Promise<Cell[]> {
  if (ids.length === 0) return [];
  const step = sql<number>`(m.minute - ${sql.lit(from)}) / ${sql.lit(stepMs)}`;
  const rows = await db
    .selectFrom('impact_samples as m')
    .innerJoin('impact_series as s', 's.id', 'm.series_id')
    .select(['s.part', step.as('step')])
    .select((eb) => [
      eb.fn.sum<number>('m.value').as('total'),
      eb.fn.countAll<number>().as('samples'),
      eb.fn.count<number>('m.minute').distinct().as('minutes'),
    ])
    .where('m.series_id', 'in', ids)
    .where('m.minute', '>=', from)
    .where('m.minute', '<', to)
    .groupBy(['s.part', step])
    .execute();
  return rows.map(({ part, step: at, total, samples, minutes }) => ({
    part,
    at: from + at * stepMs,
    total,
    samples,
    minutes,
  }));
}

function toRow({ series, scope }: Sample, total: number, now: number): Row<'impact_series'> {
  return {
    id: series.id,
    scope: scope.id,
    metric_name: series.metricName,
    type: series.type,
    help: series.help,
    part: series.part,
    labels: labelsColumn.write(series.labels),
    total,
    updated_at: now,
  };
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += rowsPerStatement) yield items.slice(i, i + rowsPerStatement);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
