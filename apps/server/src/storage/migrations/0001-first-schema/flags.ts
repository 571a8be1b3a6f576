import type { Dialect } from '../dialect.ts';

/** Creates flags, their states, strategies, variants, tags and dependencies. */
export function flags({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table features (
      name ${text} primary key,
      project ${text} not null references projects (id),
      type ${text} not null,
      description ${text},
      stale ${int} not null,
      impression_data ${int} not null,
      created_at ${int} not null,
      created_by_user_id ${int} not null,
      archived_at ${int},
      last_seen_at ${int},
      pre_live_at ${int},
      live_at ${int},
      completed_at ${int},
      completed_status ${text},
      completed_value ${text},
      potentially_stale_at ${int}
    ) ${end}`,
    'create index features_by_project on features (project, name)',
    // A covering index for the counts of flags in use.
    `create index features_in_use on features (project, type, stale, created_at, last_seen_at, live_at, completed_at)
      where archived_at is null`,
    'create index features_by_age on features (project, created_at, name) where archived_at is null',
    'create index features_by_creator on features (project, created_by_user_id)',
    `create index features_to_mark on features (type, created_at)
      where archived_at is null and stale = 0 and potentially_stale_at is null`,
    'create index features_marked on features (potentially_stale_at) where potentially_stale_at is not null',
    `create table feature_environments (
      feature_name ${text} not null references features (name) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      enabled ${int} not null,
      last_seen_at ${int},
      lease_id ${int},
      primary key (feature_name, environment)
    ) ${end}`,
    'create index feature_environments_by_environment on feature_environments (environment, feature_name)',
    `create table feature_strategies (
      id ${text} primary key,
      feature_name ${text} not null references features (name) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      name ${text} not null,
      title ${text},
      disabled ${int} not null,
      sort_order ${int} not null,
      parameters ${text} not null,
      constraints ${text} not null,
      variants ${text} not null,
      created_at ${int} not null
    ) ${end}`,
    'create index feature_strategies_by_feature on feature_strategies (feature_name, environment, sort_order)',
    'create index feature_strategies_by_environment on feature_strategies (environment)',
    'create index feature_strategies_by_name on feature_strategies (name)',
    `create table feature_tags (
      feature_name ${text} not null references features (name) on delete cascade,
      type ${text} not null,
      value ${text} not null,
      primary key (feature_name, type, value)
    ) ${end}`,
    'create index feature_tags_by_tag on feature_tags (type, value)',
    // Not in feature_environments: like strategies, variants stay while the project does not use the environment.
    `create table feature_variants (
      feature_name ${text} not null references features (name) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      variants ${text} not null,
      primary key (feature_name, environment)
    ) ${end}`,
    'create index feature_variants_by_environment on feature_variants (environment)',
    // A flag has at most one parent (docs/spec#flag-dependencies).
    `create table feature_dependencies (
      child ${text} primary key references features (name) on delete cascade,
      parent ${text} not null references features (name) on delete cascade,
      enabled ${int} not null,
      variants ${text} not null
    ) ${end}`,
    'create index feature_dependencies_by_parent on feature_dependencies (parent)',
  ];
}
