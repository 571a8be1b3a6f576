import type { Dialect } from './dialect.ts';

/**
 * Adds the set of actions to holds, so that two sets with one key each have their own. A hold of before has no set: any
 * set with its key may change or release it. Adds the run that asked for a hold last, and the time until which a run
 * waits, so that a release that had to wait ends no hold that was asked for after it.
 */
export function holdsOfSets({ int }: Dialect): readonly string[] {
  return [
    `alter table feature_leases add column action_set_id ${int}`,
    `alter table feature_leases add column renewed_by_run_id ${int}`,
    'drop index feature_leases_by_holder',
    `create unique index feature_leases_by_holder
      on feature_leases (feature_name, environment, holder_kind, holder_key, coalesce(action_set_id, 0))`,
    'create index feature_leases_by_set on feature_leases (action_set_id) where action_set_id is not null',
    `alter table action_runs add column waits_until ${int}`,
    'create index action_runs_waiting on action_runs (waits_until, id) where waits_until is not null',
  ];
}
