import { stopOfAll } from '#features/flags/automation-stops/index.ts';
import {
  alertsPathOf,
  findEndpoint,
  maxElementsOf,
  type PendingSignal,
  pendingSignals,
  signalValue,
} from '#features/signals/signals/index.ts';
import type { Tx } from '#storage/tx.ts';
import { enabledSetsOfEndpoint, type ListeningSet, withoutIdleEnds } from '../sets/index.ts';
import type { RunContext } from './acting/run-actions.ts';
import { runSet, type Trigger } from './acting/run-set.ts';
import { noteGroup } from './deciding/alert-groups.ts';
import { stopByEndpoint } from './deciding/endpoint-stop.ts';
import { type AlertEnds, type IsLate, loadAlertEnds } from './deciding/late-alerts.ts';
import { RunFacts } from './deciding/run-facts.ts';
import { dropEndedAlerts } from './deciding/undecided.ts';
import { elementsRun, findCursor, moveCursor } from './signal-cursor.ts';
import { viewsOfPayload } from './views/matching-views.ts';
import { canTrigger } from './views/triggers.ts';

/** The maximum number of signals per transaction, because other changes wait for the transaction. */
const maxSignals = 20;
/**
 * The number of runs after which the transaction commits and another one continues, also among the alerts of a signal.
 */
const maxRuns = 40;

/** The result of one transaction. */
export interface HandledBatch {
  /** True when more signals may be pending. */
  readonly more: boolean;
  /** The times of the signals, in milliseconds UTC: one for each run that changed something. */
  readonly changedBySignalsOf: readonly number[];
  /** The signal for which only some of the runs have committed. */
  readonly begun?: BegunSignal;
}

/** A signal, and the data that was read for it, for the next transaction of the same process. */
interface BegunSignal {
  readonly signal: PendingSignal;
  readonly payload: unknown;
  readonly ends: AlertEnds;
  readonly isLate: IsLate;
  readonly viewsOf: Trigger['viewsOf'];
}

/**
 * Handles the pending signals of an endpoint in order. The changes, the runs and the cursor commit in one transaction.
 * Changes run one at a time, so checking the cursor inside the transaction makes handling exactly-once for any number
 * of processes. A signal with many alerts takes several transactions: the runs that have committed say which alerts are
 * left.
 */
export async function handlePendingSignals(
  tx: Tx,
  context: RunContext,
  endpointId: number,
  begunBefore?: BegunSignal,
): Promise<HandledBatch> {
  tx.allowNoEvents('action runs');
  // Read concurrently, because every other change waits for these round trips.
  const [enabled, { handledUpTo, begunSignalId }, stopsAll, endpoint] = await Promise.all([
    enabledSetsOfEndpoint(tx.db, endpointId),
    findCursor(tx.db, endpointId),
    stopOfAll(tx.db),
    findEndpoint(tx.db, endpointId),
  ]);
  if (endpoint === undefined || enabled.length === 0) return { more: false, changedBySignalsOf: [] };
  const sets: ListeningSet[] = [];
  for (const set of enabled) sets.push(await withoutIdleEnds(tx, set));
  const since = Math.max(handledUpTo, Math.min(...sets.map(({ sinceSignalId }) => sinceSignalId)));
  const known = begunBefore?.signal.id === begunSignalId ? begunBefore : undefined;
  const most = begunSignalId === null ? maxSignals : 1;
  const signals = known ? [known.signal] : await pendingSignals(tx.db, endpointId, since, most);
  const alertsAt = alertsPathOf(endpoint);
  const ends = known?.ends ?? (await loadAlertEnds(tx.db, tx.now, { id: endpointId, alertsAt }, signals));
  const facts = new RunFacts();
  const stop = stopsAll ?? stopByEndpoint(endpoint, tx.now);
  const maxElements = maxElementsOf(endpoint);
  const changedBySignalsOf: number[] = [];
  let runs = 0;
  let last: PendingSignal | undefined;
  let begun: BegunSignal | undefined;
  for (const signal of signals) {
    if (runs >= maxRuns) break;
    const payload = known?.payload ?? signalValue(signal);
    const isLate = known?.isLate ?? ends.after(signal);
    const viewsOf = known?.viewsOf ?? viewsOfPayload(payload, maxElements);
    const isBegun = signal.id === begunSignalId;
    const done = isBegun ? await elementsRun(tx.db, signal.id) : undefined;
    if (!isBegun) {
      await dropEndedAlerts(tx, sets, signal);
      await noteGroup(tx, { endpointId, sets }, signal, payload);
    }
    for (const { formerEnds, ...set } of sets.filter(({ sinceSignalId }) => sinceSignalId < signal.id)) {
      if (!canTrigger(signal, set)) continue;
      const trigger = { signal, cause: 'signal', stop, facts, viewsOf, isLate, formerEnds } as const;
      const part = { done: done?.get(set.id), atMost: maxRuns - runs };
      const { runs: finished, isDone } = await runSet(tx, context, set, payload, trigger, part);
      runs += finished.length;
      const changed = set.shadow
        ? []
        : finished.filter(({ outcome }) => outcome.actions.some(({ changes }) => changes.length > 0));
      changedBySignalsOf.push(...changed.map(() => signal.createdAt));
      if (isDone) continue;
      begun = { signal, payload, ends, isLate, viewsOf };
      break;
    }
    if (begun !== undefined) break;
    last = signal;
  }
  const upTo = last?.id ?? handledUpTo;
  const cursor = { endpointId, handledUpTo: upTo, begunSignalId: begun?.signal.id ?? null };
  if (signals.length > 0) tx.goOn(() => moveCursor(tx, cursor));
  await ends.save(tx, upTo);
  const isWhole = begunSignalId === null && signals.length < maxSignals && last === signals.at(-1);
  return { more: signals.length > 0 && !isWhole, changedBySignalsOf, ...(begun && { begun }) };
}
