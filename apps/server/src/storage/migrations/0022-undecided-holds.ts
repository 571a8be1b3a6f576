import type { Dialect } from './dialect.ts';

/** Adds the time until which a run waits for the decision of a person. */
export function undecidedHolds({ int }: Dialect): readonly string[] {
  return [
    `alter table action_runs add column decide_by ${int}`,
    'create index action_runs_undecided on action_runs (decide_by, id) where decide_by is not null',
  ];
}
