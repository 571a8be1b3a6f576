import type { Dialect } from './dialect.ts';

/** Tags have colours of their own. */
export function tagColors({ text }: Dialect): readonly string[] {
  return [`alter table tags add column color ${text}`];
}
