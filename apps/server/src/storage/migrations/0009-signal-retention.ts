import type { Dialect } from './dialect.ts';

/** Adds the days that a signal endpoint keeps its signals. */
export function signalRetention({ int }: Dialect): readonly string[] {
  return [`alter table signal_endpoints add column retention_days ${int}`];
}
