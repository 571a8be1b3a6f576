import type { Dialect } from './dialect.ts';

/** Adds what happens at the end of a hold, and the alert for which a waiting run holds flags. */
export function retriedHolds({ text }: Dialect): readonly string[] {
  return [
    `alter table feature_leases add column on_expiry ${text} not null default 'release'`,
    `alter table action_runs add column waits_for ${text}`,
    'create index action_runs_waiting_for on action_runs (action_set_id, waits_for) where waits_for is not null',
  ];
}
