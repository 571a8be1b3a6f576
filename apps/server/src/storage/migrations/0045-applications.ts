import type { Dialect } from './dialect.ts';

/** What people know of applications, and which flags applications evaluate. */
export function applications({ int, text, end }: Dialect): readonly string[] {
  const used = `environment ${text} not null, feature_name ${text} not null, last_seen_at ${int} not null`;
  return [
    `alter table client_applications add column announced ${int} not null default 0`,
    `alter table client_applications add column described ${int} not null default 0`,
    `alter table client_applications add column description ${text}`,
    `alter table client_applications add column url ${text}`,
    `alter table client_applications add column color ${text}`,
    `alter table client_applications add column icon ${text}`,
    'create index client_applications_by_time on client_applications (last_seen_at)',
    `alter table client_instances add column sdk_type ${text} not null default 'backend'`,
    `alter table client_instances add column address ${text}`,
    `create table application_flags (app_name ${text} not null, ${used},
      primary key (app_name, environment, feature_name)) ${end}`,
    'create index application_flags_by_flag on application_flags (feature_name)',
    'create index application_flags_by_time on application_flags (last_seen_at)',
    `create table unknown_flags (app_name ${text} not null, ${used},
      primary key (feature_name, app_name, environment)) ${end}`,
    'create index unknown_flags_by_application on unknown_flags (app_name)',
    'create index unknown_flags_by_time on unknown_flags (last_seen_at)',
  ];
}
