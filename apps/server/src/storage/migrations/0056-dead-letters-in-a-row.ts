import type { Dialect } from './dialect.ts';

/** Adds to the health of integrations the number of dead letters since the last delivered message. */
export function deadLettersInARow({ int }: Dialect): readonly string[] {
  return [`alter table delivery_health add column dead_letters ${int} not null default 0`];
}
