import type { Dialect } from './dialect.ts';

/** Adds who made an account or set how its person logs in, and who made tokens and links. */
export function accountControllers({ int, text, id, end }: Dialect): readonly string[] {
  return [
    `create table account_controllers (
      id ${id},
      user_id ${int},
      controller_user_id ${int},
      means ${text} not null,
      controlled_at ${int} not null
    ) ${end}`,
    'create index account_controllers_user on account_controllers (user_id)',
    `alter table api_tokens add column created_by ${text}`,
    `alter table personal_tokens add column created_by ${text}`,
    `alter table password_links add column created_by_user_id ${int}`,
    `alter table invite_links add column created_by_user_id ${int}`,
  ];
}
