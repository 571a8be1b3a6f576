import type { Dialect } from './dialect.ts';

/** Adds to action sets how their earlier versions release what they still hold. */
export function endsOfEditedSets({ text }: Dialect): readonly string[] {
  return [`alter table action_sets add column former_ends ${text}`];
}
