import type { Dialect } from './dialect.ts';

/** Adds to safeguards at which milestone of a plan they hold its flag. */
export function holdsOfSafeguards({ text }: Dialect): readonly string[] {
  return [`alter table safeguards add column hold_at ${text}`];
}
