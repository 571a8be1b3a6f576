import type { Dialect } from './dialect.ts';

/** Adds to plans when a hold goes further down and how long a milestone rests, and to holds both times. */
export function stepsDownAndRests({ int }: Dialect): readonly string[] {
  return [
    `alter table release_plans add column step_down_minutes ${int} default 5`,
    `alter table release_plans add column rest_minutes ${int} not null default 10`,
    `alter table feature_leases add column steps_down_at ${int}`,
    `alter table feature_leases add column rests_until ${int}`,
    'create index feature_leases_steps_down on feature_leases (steps_down_at)',
  ];
}
