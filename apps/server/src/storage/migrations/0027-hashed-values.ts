import type { Dialect } from './dialect.ts';

/** Adds the paths whose values a signal endpoint hashes, and the key of the hashes. */
export function hashedValues({ text }: Dialect): readonly string[] {
  return [
    `alter table signal_endpoints add column hashed ${text} not null default '[]'`,
    `alter table signal_endpoints add column hash_key ${text} not null default ''`,
  ];
}
