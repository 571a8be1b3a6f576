import type { Dialect } from './dialect.ts';

/** Adds the limit of elements of an endpoint, and what becomes of signals while it is disabled. */
export function endpointsOfIncidents({ int, text }: Dialect): readonly string[] {
  return [
    `alter table signal_endpoints add column max_elements ${int}`,
    `alter table signal_endpoints add column when_disabled ${text} not null default 'refuse'`,
  ];
}
