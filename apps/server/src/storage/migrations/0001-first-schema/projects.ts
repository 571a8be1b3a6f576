import type { Dialect } from '../dialect.ts';

/** Creates projects and environments. */
export function projects({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table projects (
      id ${text} primary key,
      name ${text} not null,
      description ${text},
      mode ${text} not null,
      default_stickiness ${text} not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      archived_at ${int},
      naming_pattern ${text},
      naming_example ${text},
      naming_description ${text},
      link_templates ${text} not null default '[]',
      feature_limit ${int}
    ) ${end}`,
    `create table environments (
      name ${text} primary key,
      type ${text} not null,
      enabled ${int} not null,
      protected ${int} not null,
      sort_order ${int} not null,
      created_at ${int} not null,
      required_approvals ${int}
    ) ${end}`,
    `create table project_environments (
      project ${text} not null references projects (id) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      primary key (project, environment)
    ) ${end}`,
  ];
}
