import type { Dialect } from './dialect.ts';

/**
 * Stores with the data that SDKs report the projects of their token, as a scope. What was reported before gets the
 * scope `*`, all projects. Tables whose primary key lacks the scope have successors; the version before reads and
 * writes theirs until its processes end, and retention empties them.
 */
export function tokenScopes({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table token_scopes (scope ${text} not null, project ${text} not null, primary key (scope, project)) ${end}`,
    `alter table impact_series add column scope ${text} not null default '*'`,
    `alter table client_applications add column shown ${text}`,
    `create table application_scopes (
      app_name ${text} not null references client_applications (app_name) on delete cascade,
      scope ${text} not null,
      first_seen_at ${int} not null,
      last_seen_at ${int} not null,
      strategies ${text},
      primary key (app_name, scope)
    ) ${end}`,
    `insert into application_scopes (app_name, scope, first_seen_at, last_seen_at, strategies)
      select app_name, '*', first_seen_at, last_seen_at, case when announced = 1 then strategies end
      from client_applications`,
    `create table application_instances (
      app_name ${text} not null references client_applications (app_name) on delete cascade,
      instance_id ${text} not null,
      environment ${text} not null,
      scope ${text} not null,
      sdk_version ${text},
      started_at ${int},
      last_seen_at ${int} not null,
      sdk_type ${text} not null,
      address ${text},
      primary key (app_name, instance_id, environment, scope)
    ) ${end}`,
    'create index application_instances_by_time on application_instances (last_seen_at)',
    `insert into application_instances
      (app_name, instance_id, environment, scope, sdk_version, started_at, last_seen_at, sdk_type, address)
      select app_name, instance_id, environment, '*', sdk_version, started_at, last_seen_at, sdk_type, address
      from client_instances`,
    `create table application_unknown_flags (
      app_name ${text} not null,
      feature_name ${text} not null,
      environment ${text} not null,
      scope ${text} not null,
      last_seen_at ${int} not null,
      primary key (feature_name, app_name, environment, scope)
    ) ${end}`,
    'create index application_unknown_flags_by_application on application_unknown_flags (app_name)',
    'create index application_unknown_flags_by_time on application_unknown_flags (last_seen_at)',
    `insert into application_unknown_flags (app_name, feature_name, environment, scope, last_seen_at)
      select app_name, feature_name, environment, '*', last_seen_at from unknown_flags`,
  ];
}
