import type { Dialect } from './dialect.ts';

/** Adds the fields and dropped paths that the owner of a signal endpoint sets, and the end of its time. */
export function signalFields({ int, text }: Dialect): readonly string[] {
  return [
    `alter table signal_endpoints add column fields ${text}`,
    `alter table signal_endpoints add column dropped ${text} not null default '[]'`,
    `alter table signal_endpoints add column enabled_until ${int}`,
  ];
}
