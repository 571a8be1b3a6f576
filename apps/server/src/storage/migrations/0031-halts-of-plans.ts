import type { Dialect } from './dialect.ts';

/** Adds to release plans how often they were halted, and after how many halts they go back. */
export function haltsOfPlans({ int }: Dialect): readonly string[] {
  return [
    `alter table release_plans add column max_halts ${int}`,
    `alter table release_plans add column halts ${int} not null default 0`,
  ];
}
