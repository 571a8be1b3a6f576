import type { Dialect } from './dialect.ts';

export function singleSignOn({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `alter table sessions add column id_token ${text}`,
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
      failure_reason ${text}
    ) ${end}`,
    'create index login_history_by_time on login_history (created_at)',
  ];
}
