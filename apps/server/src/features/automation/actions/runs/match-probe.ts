import { stopOfAll } from '#features/flags/automation-stops/index.ts';
import { pendingSignals } from '#features/signals/signals/index.ts';
import type { Tx } from '#storage/tx.ts';
import { enabledSetsOfEndpoint } from '../sets/index.ts';
import { findCursor } from './signal-cursor.ts';
import { compileMatch } from './views/matching-views.ts';

/** No endpoint has this id. */
const endpointId = 0;

/** The set that a probe matches. It is built in and has no actions. */
const probeSet = {
  trigger: 'signal',
  filters: { probe: { operator: 'IN', values: ['loop'] } },
  releaseFilters: null,
} as const;

/**
 * Matches the payload of a loop probe, after the same database reads as for the signals of an endpoint. Returns the
 * reason why actions are halted now, if any. Throws when the probe does not match.
 */
export async function matchProbe(tx: Tx, payload: unknown): Promise<string | undefined> {
  const [stop] = await Promise.all([
    stopOfAll(tx.db),
    enabledSetsOfEndpoint(tx.db, endpointId),
    findCursor(tx.db, endpointId),
    pendingSignals(tx.db, endpointId, 0, 1),
  ]);
  const { matches } = compileMatch(probeSet)({ element: null, forEach: null, payload });
  if (!matches) throw new Error('the probe does not match its set');
  return stop?.reason;
}
