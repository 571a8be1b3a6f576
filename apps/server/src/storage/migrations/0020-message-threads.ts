import type { Dialect } from './dialect.ts';

/** Creates the threads of messages of integrations, such as all messages about a hold. */
export function messageThreads({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table message_threads (
      id ${id},
      integration_id ${int} not null references integrations (id) on delete cascade,
      subject ${text} not null,
      first_event_id ${int} not null,
      last_event_at ${int} not null,
      ended_event_id ${int},
      reference ${text}
    ) ${end}`,
    'create unique index message_threads_by_subject on message_threads (integration_id, subject, first_event_id)',
    'create index message_threads_by_time on message_threads (last_event_at)',
  ];
}
