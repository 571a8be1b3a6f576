import type { Dialect } from './dialect.ts';

/** Adds the minutes within which an endpoint expects a signal, and whether it is silent. */
export function expectedSignals({ int }: Dialect): readonly string[] {
  return [
    `alter table signal_endpoints add column expected_minutes ${int}`,
    `alter table signal_endpoints add column expected_from ${int} not null default 0`,
    `alter table signal_endpoints add column silent_since ${int}`,
  ];
}
