import type { Dialect } from './dialect.ts';

/** Adds the latest ends of alerts, so that a firing signal that comes after the end of its alert is known as late. */
export function alertEnds({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table alert_ends (
      endpoint_id ${int} not null,
      fingerprint ${text} not null,
      started_at ${text} not null,
      signal_id ${int} not null,
      ended_at ${int} not null,
      primary key (endpoint_id, fingerprint, started_at)
    ) ${end}`,
    'create index alert_ends_by_time on alert_ends (endpoint_id, ended_at)',
  ];
}
