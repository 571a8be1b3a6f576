import type { Dialect } from './dialect.ts';

export function groups({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table user_groups (
      id ${id},
      name ${text} not null unique,
      description ${text},
      mappings_sso ${text} not null,
      root_role_id ${int} references roles (id),
      created_by ${text} not null,
      created_at ${int} not null
    ) ${end}`,
    'create index user_groups_by_root_role on user_groups (root_role_id)',
    `create table group_users (
      group_id ${int} not null references user_groups (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade,
      created_by ${text} not null,
      joined_at ${int} not null,
      primary key (group_id, user_id)
    ) ${end}`,
    'create index group_users_by_user on group_users (user_id, group_id)',
  ];
}
