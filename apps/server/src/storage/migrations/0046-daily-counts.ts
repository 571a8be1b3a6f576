import type { Dialect } from './dialect.ts';

/** Evaluations counted by the day, when they are too old to be looked at by the hour. */
export function dailyCounts({ int, text, end }: Dialect): readonly string[] {
  const where = `feature_name ${text} not null, app_name ${text} not null, environment ${text} not null, day ${int} not null`;
  return [
    `create table client_metrics_daily (${where}, yes ${int} not null, no ${int} not null,
      primary key (feature_name, environment, day, app_name)) ${end}`,
    'create index client_metrics_daily_by_day on client_metrics_daily (day)',
    `create table client_metric_variants_daily (${where}, variant ${text} not null, count ${int} not null,
      primary key (feature_name, environment, day, app_name, variant)) ${end}`,
    'create index client_metric_variants_daily_by_day on client_metric_variants_daily (day)',
  ];
}
