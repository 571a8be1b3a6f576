import type { Dialect } from './dialect.ts';

/**
 * Adds to the cursor of an endpoint the signal for which some of the runs have committed, so that a signal with many
 * alerts can take several transactions (docs/adr, 113).
 */
export function begunSignals({ int }: Dialect): readonly string[] {
  return [`alter table action_cursors add column begun_signal_id ${int}`];
}
