import type { Dialect } from './dialect.ts';

/** Adds to action sets what triggers them: a signal, or the silence of their endpoint. */
export function silenceTriggers({ text }: Dialect): readonly string[] {
  return [`alter table action_sets add column trigger_kind ${text} not null default 'signal'`];
}
