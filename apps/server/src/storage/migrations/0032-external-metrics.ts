import type { Dialect } from './dialect.ts';

/** Adds what was read of metrics of a Prometheus server, and to safeguards why they have no value. */
export function externalMetrics({ int, real, text, end }: Dialect): readonly string[] {
  return [
    `alter table safeguards add column reason ${text}`,
    `create table external_readings (
      id ${text} primary key,
      promql ${text} not null,
      at ${int} not null,
      state ${text} not null,
      value ${real},
      reason ${text},
      is_empty ${int} not null
    ) ${end}`,
    'create index external_readings_state on external_readings (state, at)',
    'create index external_readings_at on external_readings (at)',
  ];
}
