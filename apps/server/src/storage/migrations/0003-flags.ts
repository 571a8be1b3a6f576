import type { Dialect } from './dialect.ts';

export function flags({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table projects (
      id ${text} primary key,
      name ${text} not null,
      description ${text},
      mode ${text} not null,
      default_stickiness ${text} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      archived_at ${int}
    ) ${end}`,
    `create table environments (
      name ${text} primary key,
      type ${text} not null,
      enabled ${int} not null,
      protected ${int} not null,
      sort_order ${int} not null,
      created_at ${int} not null
    ) ${end}`,
    `create table project_environments (
      project ${text} not null references projects (id) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      primary key (project, environment)
    ) ${end}`,
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
      last_seen_at ${int}
    ) ${end}`,
    'create index features_by_project on features (project, name)',
    // Holds all that flags in use are counted by.
    'create index features_in_use on features (project, type, stale, created_at, last_seen_at) where archived_at is null',
    `create table feature_environments (
      feature_name ${text} not null references features (name) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      enabled ${int} not null,
      last_seen_at ${int},
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
    `create table feature_tags (
      feature_name ${text} not null references features (name) on delete cascade,
      type ${text} not null,
      value ${text} not null,
      primary key (feature_name, type, value)
    ) ${end}`,
    'create index feature_tags_by_tag on feature_tags (type, value)',
  ];
}
