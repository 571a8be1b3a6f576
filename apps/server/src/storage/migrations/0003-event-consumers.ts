import type { Dialect } from './dialect.ts';

/** Creates the consumers of the event feed. */
export function eventConsumers({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table event_consumers (
      name ${text} primary key,
      description ${text} not null,
      filters ${text} not null,
      acknowledged ${int} not null,
      acknowledged_at ${int},
      worker ${text},
      leased_until ${int},
      created_at ${int} not null
    ) ${end}`,
  ];
}
