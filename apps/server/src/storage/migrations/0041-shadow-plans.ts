import type { Dialect } from './dialect.ts';

/** Adds to release plans whether they run in shadow mode: they record what they would do, and serve nothing. */
export function shadowPlans({ int }: Dialect): readonly string[] {
  return [`alter table release_plans add column shadow ${int} not null default 0`];
}
