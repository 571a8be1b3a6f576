import type { Dialect } from './dialect.ts';

/** Sessions say what they were begun with, from where, and when they were last used. */
export function sessionDevices({ int, text }: Dialect): readonly string[] {
  return [
    `alter table sessions add column device ${text}`,
    `alter table sessions add column address ${text}`,
    `alter table sessions add column seen_at ${int}`,
  ];
}
