import type { Dialect } from './dialect.ts';

/** Adds to holds the milestone of a release plan whose strategies a held flag has. */
export function holdsAtMilestones({ text }: Dialect): readonly string[] {
  return [`alter table feature_leases add column milestone ${text}`];
}
