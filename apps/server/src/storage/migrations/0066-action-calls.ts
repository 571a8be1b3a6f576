import type { Dialect } from './dialect.ts';

/** Requests to systems outside that runs of actions have asked for, made after the change that recorded the run. */
export function actionCalls({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table action_calls (
      id ${id},
      run_id ${int} not null references action_runs (id) on delete cascade,
      action_set_id ${int} not null,
      action_id ${int} not null,
      idempotency_key ${text} not null,
      method ${text} not null,
      url ${text} not null,
      headers ${text} not null,
      body ${text} not null,
      state ${text} not null,
      attempts ${int} not null,
      status ${int},
      details ${text},
      next_attempt_at ${int},
      created_at ${int} not null,
      settled_at ${int}
    ) ${end}`,
    'create index action_calls_by_run on action_calls (run_id)',
    'create index action_calls_by_set on action_calls (action_set_id, created_at)',
    'create index action_calls_due on action_calls (next_attempt_at) where next_attempt_at is not null',
  ];
}
