import type { Db, Tx } from '../../../storage/tx.ts';
import { isInMaintenance } from '../../maintenance/index.ts';
import { readFreeze } from '../freeze/index.ts';
import { enabledSetsOf } from '../sets/index.ts';
import { Authors } from './authors.ts';
import { handledSignal, markHandled, nextSignals, type PendingSignal } from './pending.ts';
import { runSet } from './record.ts';
import type { RunContext } from './run.ts';

/** Signals that one change handles at most: other changes wait for it. */
const mostSignals = 20;
/** After so many runs the change commits, and another one goes on. */
const enoughRuns = 20;

/** What one change has handled. */
export interface Handled {
  /** Whether there may be more. */
  readonly more: boolean;
  /** When the signals of the runs came, milliseconds UTC, one for each run that changed something. */
  readonly changedBySignalsOf: readonly number[];
}

/**
 * Handles the signals of an endpoint that wait, in the order in which they came: what they change, the record of each run, and the
 * mark that they are done are one change. Changes run one at a time, so looking at the mark inside it is all that "exactly once"
 * takes, however many processes do this.
 */
export async function handlePending(tx: Tx, context: RunContext, endpointId: number): Promise<Handled> {
  tx.allowNoEvents('action runs');
  // Read in one round trip: other changes wait for this one.
  const [sets, handledUpTo, halted] = await Promise.all([
    enabledSetsOf(tx.db, endpointId),
    handledSignal(tx.db, endpointId),
    whyHalted(tx.db),
  ]);
  if (sets.length === 0) return { more: false, changedBySignalsOf: [] };
  const since = Math.max(handledUpTo, Math.min(...sets.map(({ sinceSignalId }) => sinceSignalId)));
  const signals = await nextSignals(tx.db, endpointId, since, mostSignals);
  const authors = new Authors();
  const changedBySignalsOf: number[] = [];
  let runs = 0;
  let last: PendingSignal | undefined;
  for (const signal of signals) {
    if (runs >= enoughRuns) break;
    const payload: unknown = JSON.parse(signal.payload);
    for (const set of sets.filter(({ sinceSignalId }) => sinceSignalId < signal.id)) {
      const done = await runSet(tx, context, set, payload, { signal, cause: 'signal', halted, authors });
      runs += done.length;
      const changed = set.shadow
        ? []
        : done.filter(({ outcome }) => outcome.actions.some((one) => one.changes.length > 0));
      changedBySignalsOf.push(...changed.map(() => signal.createdAt));
    }
    last = signal;
  }
  if (last !== undefined) await markHandled(tx, { endpointId, signalId: last.id });
  return {
    more: last !== undefined && (signals.length === mostSignals || last !== signals.at(-1)),
    changedBySignalsOf,
  };
}

/** Why no action may change anything now; undefined when they may. */
export async function whyHalted(db: Db): Promise<string | undefined> {
  const [{ frozen, reason }, maintenance] = await Promise.all([readFreeze(db), isInMaintenance(db)]);
  if (frozen) return `Automation is frozen${reason === null || reason === '' ? '' : `: ${reason}`}.`;
  return maintenance ? 'The service is in maintenance.' : undefined;
}
