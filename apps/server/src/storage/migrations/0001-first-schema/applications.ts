import type { Dialect } from '../dialect.ts';

/** Creates applications, their instances, usage counts and unknown flags. */
export function applications({ int, text, end }: Dialect): readonly string[] {
  const counted = (time: 'hour' | 'day') =>
    `feature_name ${text} not null, app_name ${text} not null, environment ${text} not null, ${time} ${int} not null`;
  const used = `environment ${text} not null, feature_name ${text} not null, last_seen_at ${int} not null`;
  return [
    `create table client_applications (
      app_name ${text} primary key,
      first_seen_at ${int} not null,
      last_seen_at ${int} not null,
      strategies ${text} not null,
      announced ${int} not null default 0,
      described ${int} not null default 0,
      description ${text},
      url ${text},
      color ${text},
      icon ${text}
    ) ${end}`,
    'create index client_applications_by_time on client_applications (last_seen_at)',
    `create table client_instances (
      app_name ${text} not null references client_applications (app_name) on delete cascade,
      instance_id ${text} not null,
      environment ${text} not null,
      sdk_version ${text},
      started_at ${int},
      last_seen_at ${int} not null,
      sdk_type ${text} not null default 'backend',
      address ${text},
      primary key (app_name, instance_id, environment)
    ) ${end}`,
    'create index client_instances_by_time on client_instances (last_seen_at)',
    `create table client_metrics (${counted('hour')}, yes ${int} not null, no ${int} not null,
      primary key (feature_name, environment, hour, app_name)) ${end}`,
    'create index client_metrics_by_hour on client_metrics (hour)',
    `create table client_metric_variants (${counted('hour')}, variant ${text} not null, count ${int} not null,
      primary key (feature_name, environment, hour, app_name, variant)) ${end}`,
    'create index client_metric_variants_by_hour on client_metric_variants (hour)',
    `create table application_flags (app_name ${text} not null, ${used},
      primary key (app_name, environment, feature_name)) ${end}`,
    'create index application_flags_by_flag on application_flags (feature_name)',
    'create index application_flags_by_time on application_flags (last_seen_at)',
    `create table unknown_flags (app_name ${text} not null, ${used},
      primary key (feature_name, app_name, environment)) ${end}`,
    'create index unknown_flags_by_application on unknown_flags (app_name)',
    'create index unknown_flags_by_time on unknown_flags (last_seen_at)',
    `create table client_metrics_daily (${counted('day')}, yes ${int} not null, no ${int} not null,
      primary key (feature_name, environment, day, app_name)) ${end}`,
    'create index client_metrics_daily_by_day on client_metrics_daily (day)',
    `create table client_metric_variants_daily (${counted('day')}, variant ${text} not null, count ${int} not null,
      primary key (feature_name, environment, day, app_name, variant)) ${end}`,
    'create index client_metric_variants_daily_by_day on client_metric_variants_daily (day)',
  ];
}
