import type { Dialect } from './dialect.ts';

export function roles({ int, text, end, engine }: Dialect): readonly string[] {
  return [
    `insert into roles (id, name, type, description) values
      (4, 'Owner', 'project', 'May do everything in the project, and say who else may.'),
      (5, 'Member', 'project', 'May create and change flags of the project.'),
      (6, 'Reader', 'project', 'May look at the project, also when it is private.')`,
    // Rows with ids of their own do not move the generator on PostgreSQL.
    ...(engine === 'postgres' ? ['alter table roles alter column id restart with 7'] : []),
    // What roles grant that an installation made. Those of the product are fixed, and have none.
    `create table role_permissions (
      role_id ${int} not null references roles (id) on delete cascade,
      permission ${text} not null,
      environment ${text} references environments (name) on delete cascade
    ) ${end}`,
    'create index role_permissions_by_role on role_permissions (role_id)',
    'create index role_permissions_by_environment on role_permissions (environment)',
    'create index users_by_root_role on users (root_role_id)',
  ];
}
