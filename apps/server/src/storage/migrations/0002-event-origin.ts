import type { Dialect } from './dialect.ts';

/**
 * Adds to each event where its change came from, its outcome and its reason, and to each project whether a change needs
 * a reason. A null outcome is a success, so that events which are stored already need no rewrite.
 */
export function eventOrigin({ int, text }: Dialect): readonly string[] {
  return [
    `alter table events add column origin ${text}`,
    `alter table events add column outcome ${text}`,
    `alter table events add column reason ${text}`,
    `alter table projects add column reason_required ${int} not null default 0`,
    `alter table projects add column reason_pattern ${text}`,
  ];
}
