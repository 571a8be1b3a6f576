import type { Dialect } from './dialect.ts';

/** Adds to threads the newest event that was told, when, and when a digest tells the events that came since. */
export function toldThreads({ int }: Dialect): readonly string[] {
  return [
    `alter table message_threads add column told_event_id ${int} not null default 0`,
    `alter table message_threads add column told_at ${int} not null default 0`,
    `alter table message_threads add column digest_at ${int}`,
    `alter table message_threads add column digest_event_id ${int}`,
    'create index message_threads_by_digest on message_threads (digest_at) where digest_at is not null',
  ];
}
