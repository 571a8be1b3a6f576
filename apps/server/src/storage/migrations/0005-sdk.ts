import type { Dialect } from './dialect.ts';

export function sdk({ int, text, end }: Dialect): readonly string[] {
  const where = `feature_name ${text} not null, app_name ${text} not null, environment ${text} not null, hour ${int} not null`;
  return [
    `create table client_applications (
      app_name ${text} primary key,
      first_seen_at ${int} not null,
      last_seen_at ${int} not null,
      strategies ${text} not null
    ) ${end}`,
    `create table client_instances (
      app_name ${text} not null references client_applications (app_name) on delete cascade,
      instance_id ${text} not null,
      environment ${text} not null,
      sdk_version ${text},
      started_at ${int},
      last_seen_at ${int} not null,
      primary key (app_name, instance_id, environment)
    ) ${end}`,
    'create index client_instances_by_time on client_instances (last_seen_at)',
    `create table client_metrics (${where}, yes ${int} not null, no ${int} not null,
      primary key (feature_name, environment, hour, app_name)) ${end}`,
    'create index client_metrics_by_hour on client_metrics (hour)',
    `create table client_metric_variants (${where}, variant ${text} not null, count ${int} not null,
      primary key (feature_name, environment, hour, app_name, variant)) ${end}`,
    'create index client_metric_variants_by_hour on client_metric_variants (hour)',
  ];
}
