import type { Dialect } from './dialect.ts';

/** Failed logins delay the next attempt, and people see the logins of their account. */
export function loginDelays({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table login_delays (
      attempt_key ${text} primary key,
      failures ${int} not null,
      failed_at ${int} not null
    ) ${end}`,
    'create index login_delays_by_time on login_delays (failed_at)',
    `alter table login_history add column user_id ${int} references users (id) on delete set null`,
    'create index login_history_by_user on login_history (user_id, id)',
    'create index login_history_by_network on login_history (user_id, ip, created_at) where successful = 1',
  ];
}
