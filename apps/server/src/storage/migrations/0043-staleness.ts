import type { Dialect } from './dialect.ts';

/** Since when flags are known to be older than flags of their type are expected to become. */
export function staleness({ int }: Dialect): readonly string[] {
  return [
    `alter table features add column potentially_stale_at ${int}`,
    `create index features_to_mark on features (type, created_at)
      where archived_at is null and stale = 0 and potentially_stale_at is null`,
    'create index features_marked on features (potentially_stale_at) where potentially_stale_at is not null',
    // Holds all that flags in use are counted by, as the one it replaces did.
    'drop index features_in_use',
    `create index features_in_use on features (project, type, stale, created_at, last_seen_at, live_at, completed_at)
      where archived_at is null`,
    'create index features_by_age on features (project, created_at, name) where archived_at is null',
  ];
}
