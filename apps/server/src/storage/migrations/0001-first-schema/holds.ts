import type { Dialect } from '../dialect.ts';

/**
 * Creates holds. A hold that was released or has expired has no row; the event log keeps it.
 * `feature_environments.lease_id` is the hold in force, so that reading a flag costs one lookup by key.
 */
export function holds({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table feature_leases (
      id ${id},
      feature_name ${text} not null,
      environment ${text} not null,
      effect ${text} not null,
      rollout ${int},
      for_everyone ${int} not null,
      holder_kind ${text} not null,
      holder_key ${text} not null,
      run_id ${int},
      reason ${text},
      placed_by_user_id ${int} not null,
      placed_by ${text} not null,
      placed_at ${int} not null,
      expires_at ${int},
      foreign key (feature_name, environment)
        references feature_environments (feature_name, environment) on delete cascade
    ) ${end}`,
    'create unique index feature_leases_by_holder on feature_leases (feature_name, environment, holder_kind, holder_key)',
    'create index feature_leases_by_expiry on feature_leases (expires_at) where expires_at is not null',
  ];
}
