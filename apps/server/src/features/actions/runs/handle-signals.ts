import type { Tx } from '../../../storage/tx.ts';
import { type StopInForce, stopOfAll } from '../../automation-stops/index.ts';
import {
  alertsPathOf,
  findEndpoint,
  isEnabled,
  maxElementsOf,
  type PendingSignal,
  pendingSignals,
  type SignalEndpoint,
  signalValue,
} from '../../signals/index.ts';
import { enabledSetsOfEndpoint, type ListeningSet, withoutIdleEnds } from '../sets/index.ts';
import { AccountCache } from './account-cache.ts';
import { noteGroup } from './alert-groups.ts';
import { loadAlertEnds } from './late-alerts.ts';
import type { RunContext } from './run-actions.ts';
import { runSet } from './run-set.ts';
import { lastHandledSignal, markHandled } from './signal-cursor.ts';
import { canTrigger } from './triggers.ts';
import { dropEndedAlerts } from './undecided.ts';

/** The maximum number of signals per transaction, because other changes wait for the transaction. */
const maxSignals = 20;
/** The number of runs after which the transaction commits and another one continues. */
const maxRuns = 20;

/** The result of one transaction. */
export interface HandledBatch {
  /** True when more signals may be pending. */
  readonly more: boolean;
  /** The times of the signals, in milliseconds UTC: one for each run that changed something. */
  readonly changedBySignalsOf: readonly number[];
}

/**
 * Handles the pending signals of an endpoint in order. The changes, the runs and the cursor commit in one transaction.
 * Changes run one at a time, so checking the cursor inside the transaction makes handling exactly-once for any number
 * of processes.
 */
export async function handlePendingSignals(tx: Tx, context: RunContext, endpointId: number): Promise<HandledBatch> {
  tx.allowNoEvents('action runs');
  // Read concurrently, because every other change waits for these round trips.
  const [enabled, handledUpTo, stopsAll, endpoint] = await Promise.all([
    enabledSetsOfEndpoint(tx.db, endpointId),
    lastHandledSignal(tx.db, endpointId),
    stopOfAll(tx.db),
    findEndpoint(tx.db, endpointId),
  ]);
  if (endpoint === undefined || enabled.length === 0) return { more: false, changedBySignalsOf: [] };
  const sets: ListeningSet[] = [];
  for (const set of enabled) sets.push(await withoutIdleEnds(tx, set));
  const since = Math.max(handledUpTo, Math.min(...sets.map(({ sinceSignalId }) => sinceSignalId)));
  const signals = await pendingSignals(tx.db, endpointId, since, maxSignals);
  const ends = await loadAlertEnds(tx.db, tx.now, { id: endpointId, alertsAt: alertsPathOf(endpoint) }, signals);
  const accounts = new AccountCache();
  const stop = stopsAll ?? stopByEndpoint(endpoint, tx.now);
  const maxElements = maxElementsOf(endpoint);
  const changedBySignalsOf: number[] = [];
  let runs = 0;
  let last: PendingSignal | undefined;
  for (const signal of signals) {
    if (runs >= maxRuns) break;
    const payload = signalValue(signal);
    const isLate = ends.after(signal);
    await dropEndedAlerts(tx, sets, signal);
    await noteGroup(tx, { endpointId, sets }, signal, payload);
    for (const { formerEnds, ...set } of sets.filter(({ sinceSignalId }) => sinceSignalId < signal.id)) {
      if (!canTrigger(signal, set)) continue;
      const trigger = { signal, cause: 'signal', stop, accounts, maxElements, isLate, formerEnds } as const;
      const finished = await runSet(tx, context, set, payload, trigger);
      runs += finished.length;
      const changed = set.shadow
        ? []
        : finished.filter(({ outcome }) => outcome.actions.some(({ changes }) => changes.length > 0));
      changedBySignalsOf.push(...changed.map(() => signal.createdAt));
    }
    last = signal;
  }
  if (last !== undefined) await markHandled(tx, { endpointId, signalId: last.id });
  await ends.save(tx);
  return {
    more: last !== undefined && (signals.length === maxSignals || last !== signals.at(-1)),
    changedBySignalsOf,
  };
}

/** Returns the stop that a disabled endpoint is for its actions; undefined while it is enabled. */
export function stopByEndpoint(
  endpoint: SignalEndpoint | undefined,
  now: number,
): StopInForce<'endpoint disabled'> | undefined {
  if (endpoint === undefined || isEnabled(endpoint, now)) return undefined;
  return { stop: 'endpoint disabled', reason: `The signal endpoint ${endpoint.name} is disabled.` };
}
