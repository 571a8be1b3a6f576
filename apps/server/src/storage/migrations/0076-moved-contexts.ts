import type { Dialect } from './dialect.ts';

/** Stores of each change by automation how many contexts it moved, and of each run the alert that it is about. */
export function movedContexts({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table moved_contexts (
      event_id ${int} primary key references events (id) on delete cascade,
      contexts ${int} not null,
      moved ${int} not null
    ) ${end}`,
    `alter table action_runs add column alert_condition ${text}`,
  ];
}
