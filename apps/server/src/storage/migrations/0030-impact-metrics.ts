import type { Dialect } from './dialect.ts';

/**
 * Adds the impact metrics that SDKs report, the safeguards that watch them, and to plans since when a gate holds them.
 */
export function impactMetrics({ int, real, text, end }: Dialect): readonly string[] {
  return [
    `alter table release_plans add column gated_at ${int}`,
    `create table impact_series (
      id ${text} primary key,
      metric_name ${text} not null,
      type ${text} not null,
      help ${text} not null,
      part ${text} not null,
      labels ${text} not null,
      total ${real} not null,
      updated_at ${int} not null
    ) ${end}`,
    'create index impact_series_name on impact_series (metric_name)',
    'create index impact_series_updated on impact_series (updated_at)',
    `create table impact_samples (
      series_id ${text} not null,
      minute ${int} not null,
      value ${real} not null,
      primary key (series_id, minute)
    ) ${end}`,
    'create index impact_samples_minute on impact_samples (minute)',
    // A safeguard ends with its plan, or when its flag leaves the environment.
    `create table safeguards (
      id ${text} primary key,
      feature_name ${text} not null,
      environment ${text} not null,
      plan_id ${text} references release_plans (id) on delete cascade,
      query ${text} not null,
      operator ${text} not null,
      threshold ${real} not null,
      state ${text} not null,
      value ${real},
      looked_at ${int},
      triggered_at ${int},
      next_look_at ${int} not null,
      created_by_user_id ${int} not null,
      created_at ${int} not null,
      foreign key (feature_name, environment)
        references feature_environments (feature_name, environment) on delete cascade
    ) ${end}`,
    'create index safeguards_place on safeguards (feature_name, environment)',
    'create index safeguards_plan on safeguards (plan_id)',
    'create index safeguards_next_look on safeguards (next_look_at)',
  ];
}
