import type { Dialect } from './dialect.ts';

/** How people get in who have no password yet, or no more. */
export function invitations({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table password_links (
      id ${id},
      user_id ${int} not null references users (id) on delete cascade,
      secret_hash ${text} not null unique,
      created_by ${text} not null,
      expires_at ${int} not null,
      used_at ${int}
    ) ${end}`,
    'create index password_links_by_user on password_links (user_id)',
    'create index password_links_by_expiry on password_links (expires_at)',
    `create table used_passwords (
      id ${id},
      user_id ${int} not null references users (id) on delete cascade,
      password_hash ${text} not null
    ) ${end}`,
    'create index used_passwords_by_user on used_passwords (user_id, id)',
    `create table invite_links (
      id ${id},
      name ${text} not null,
      secret ${text} not null unique,
      enabled ${int} not null,
      expires_at ${int} not null,
      created_by ${text} not null,
      created_at ${int} not null
    ) ${end}`,
    `create table invite_link_users (
      link_id ${int} not null references invite_links (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade,
      primary key (link_id, user_id)
    ) ${end}`,
    'create index invite_link_users_by_user on invite_link_users (user_id)',
  ];
}
