import type { Dialect } from './dialect.ts';

/** Adds the filters of an expected signal, and what is known of the signals so far. */
export function expectedFilters({ int, text }: Dialect): readonly string[] {
  return [
    `alter table signal_endpoints add column expected_filters ${text} not null default '{}'`,
    `alter table signal_endpoints add column expected_signal_id ${int} not null default 0`,
    `alter table signal_endpoints add column expected_signal_at ${int}`,
  ];
}
