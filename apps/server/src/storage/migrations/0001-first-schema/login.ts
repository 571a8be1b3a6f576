import type { Dialect } from '../dialect.ts';

/** Creates login history, login delays, single sign-on attempts, password links and invite links. */
export function login({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table sso_logins (
      id ${id},
      secret_hash ${text} not null unique,
      state ${text} not null,
      nonce ${text} not null,
      code_verifier ${text} not null,
      return_to ${text} not null,
      expires_at ${int} not null
    ) ${end}`,
    'create index sso_logins_by_expiry on sso_logins (expires_at)',
    `create table login_history (
      id ${id},
      username ${text} not null,
      auth_type ${text} not null,
      created_at ${int} not null,
      successful ${int} not null,
      ip ${text},
      failure_reason ${text},
      user_id ${int} references users (id) on delete set null
    ) ${end}`,
    'create index login_history_by_time on login_history (created_at)',
    'create index login_history_by_user on login_history (user_id, id)',
    'create index login_history_by_network on login_history (user_id, ip, created_at) where successful = 1',
    `create table login_delays (
      attempt_key ${text} primary key,
      failures ${int} not null,
      failed_at ${int} not null
    ) ${end}`,
    'create index login_delays_by_time on login_delays (failed_at)',
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
      secret_hash ${text} not null unique,
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
