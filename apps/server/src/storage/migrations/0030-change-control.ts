import type { Dialect } from './dialect.ts';

export function changeControl({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table change_request_environments (
      project ${text} not null references projects (id) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      required_approvals ${int} not null,
      primary key (project, environment)
    ) ${end}`,
    'create index change_request_environments_by_environment on change_request_environments (environment)',
  ];
}
