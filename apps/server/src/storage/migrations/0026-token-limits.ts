import type { Dialect } from './dialect.ts';

/** Adds the limits of a signal token, and the end of its time. */
export function tokenLimits({ int }: Dialect): readonly string[] {
  return ['rate_per_second', 'burst', 'max_body_bytes', 'enabled_until'].map(
    (column) => `alter table signal_endpoint_tokens add column ${column} ${int}`,
  );
}
