import type { Dialect } from './dialect.ts';

/** Adds charts of impact metrics, of flags and of the instance. */
export function metricCharts({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table metric_charts (
      id ${text} primary key,
      feature_name ${text} references features (name) on delete cascade,
      chart ${text} not null,
      created_at ${int} not null
    ) ${end}`,
    'create index metric_charts_feature on metric_charts (feature_name)',
  ];
}
