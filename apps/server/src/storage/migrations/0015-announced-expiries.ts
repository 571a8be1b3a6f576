import type { Dialect } from './dialect.ts';

/** Adds the time at which the end of a hold is announced. Holds of before end without an announcement. */
export function announcedExpiries({ int }: Dialect): readonly string[] {
  return [
    `alter table feature_leases add column announce_at ${int}`,
    'create index feature_leases_by_announcement on feature_leases (announce_at) where announce_at is not null',
  ];
}
