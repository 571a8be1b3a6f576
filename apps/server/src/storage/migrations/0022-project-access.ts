import type { Dialect } from './dialect.ts';

export function projectAccess({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table project_user_roles (
      project ${text} not null references projects (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade,
      role_id ${int} not null references roles (id),
      added_at ${int} not null,
      primary key (project, user_id, role_id)
    ) ${end}`,
    'create index project_user_roles_by_user on project_user_roles (user_id)',
    'create index project_user_roles_by_role on project_user_roles (role_id)',
    `create table project_group_roles (
      project ${text} not null references projects (id) on delete cascade,
      group_id ${int} not null references user_groups (id) on delete cascade,
      role_id ${int} not null references roles (id),
      added_at ${int} not null,
      primary key (project, group_id, role_id)
    ) ${end}`,
    'create index project_group_roles_by_group on project_group_roles (group_id)',
    'create index project_group_roles_by_role on project_group_roles (role_id)',
  ];
}
