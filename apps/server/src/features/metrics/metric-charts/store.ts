import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { MetricChart } from './chart.ts';

type Drawn = Omit<MetricChart, 'id' | 'featureName' | 'createdAt'>;

const chartColumn = jsonColumn(
  'metric_charts.chart',
  z.custom<Drawn>((value) => typeof value === 'object' && value !== null, 'Invalid input: expected object'),
);

/** Returns the charts of a flag, or those of the instance, oldest first. */
export async function chartsOf(db: Db, featureName: string | null): Promise<MetricChart[]> {
  const rows = await db
    .selectFrom('metric_charts')
    .selectAll()
    .where('feature_name', featureName === null ? 'is' : '=', featureName)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(fromRow);
}

export async function insertChart(tx: Tx, chart: MetricChart): Promise<void> {
  await tx.db.insertInto('metric_charts').values(toRow(chart)).execute();
}

export async function updateChart(tx: Tx, chart: MetricChart): Promise<void> {
  const { id, ...row } = toRow(chart);
  await tx.db.updateTable('metric_charts').set(row).where('id', '=', id).execute();
}

export async function deleteChart(tx: Tx, id: string): Promise<void> {
  await tx.db.deleteFrom('metric_charts').where('id', '=', id).execute();
}

function toRow({ id, featureName, createdAt, ...drawn }: MetricChart): Row<'metric_charts'> {
  return { id, feature_name: featureName, chart: chartColumn.write(drawn), created_at: createdAt };
}

function fromRow(row: Row<'metric_charts'>): MetricChart {
  const drawn = chartColumn.parse(row.chart, row.id);
  return { ...drawn, id: row.id, featureName: row.feature_name, createdAt: row.created_at };
}
