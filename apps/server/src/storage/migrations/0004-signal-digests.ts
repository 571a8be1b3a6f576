import type { Dialect } from './dialect.ts';

/**
 * Creates the digests of signals that retention deletes while events name them, and marks runs that events name: both
 * live as long as those events.
 */
export function signalDigests({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table signal_digests (
      signal_id ${int} primary key,
      endpoint_id ${int} not null,
      token_id ${int} not null,
      created_at ${int} not null,
      sha256 ${text} not null,
      bytes ${int} not null,
      deleted_at ${int} not null
    ) ${end}`,
    'create index signal_digests_by_time on signal_digests (created_at)',
    `alter table action_runs add column kept ${int} not null default 0`,
    'drop index action_runs_by_time',
    'create index action_runs_by_time on action_runs (kept, created_at)',
  ];
}
