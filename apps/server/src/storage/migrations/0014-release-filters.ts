import type { Dialect } from './dialect.ts';

/** Adds to action sets the filters of signals that release what the set holds. */
export function releaseFilters({ text }: Dialect): readonly string[] {
  return [`alter table action_sets add column release_filters ${text}`];
}
