import type { Tx } from '../../../storage/tx.ts';
import { mostElements, passes, type View, viewsOf } from '../matching/index.ts';
import { type ActionSet, enabledSetsOf } from '../sets/index.ts';
import { markHandled, nextSignals, type PendingSignal } from './pending.ts';
import { idle, type Outcome, type RunContext, runActions } from './run.ts';
import { beginRun, finishRun } from './store.ts';

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
  tx.quietly('action runs');
  const sets = await enabledSetsOf(tx.db, endpointId);
  if (sets.length === 0) return { more: false, changedBySignalsOf: [] };
  const since = Math.min(...sets.map(({ sinceSignalId }) => sinceSignalId));
  const signals = await nextSignals(tx.db, endpointId, since, mostSignals);
  const changedBySignalsOf: number[] = [];
  let runs = 0;
  let last: PendingSignal | undefined;
  for (const signal of signals) {
    if (runs >= enoughRuns) break;
    const payload: unknown = JSON.parse(signal.payload);
    for (const set of sets) {
      if (signal.id <= set.sinceSignalId) continue;
      for (const view of matching(set, payload)) {
        const outcome = await runOnce(tx, context, set, signal, view);
        if (outcome.actions.some(({ changes }) => changes.length > 0)) changedBySignalsOf.push(signal.createdAt);
        runs++;
      }
    }
    last = signal;
  }
  if (last !== undefined) await markHandled(tx, endpointId, last.id);
  return {
    more: last !== undefined && (signals.length === mostSignals || last !== signals.at(-1)),
    changedBySignalsOf,
  };
}

/** What of a payload passes the filters of a set; one view without elements when it has too many. */
function matching(set: ActionSet, payload: unknown): View[] {
  const views = viewsOf(payload, set.forEach);
  if (views.length > mostElements) return [{ element: null, payload: tooMany }];
  return views.filter((view) => passes(set.filters, view.payload));
}

const tooMany = Symbol('too many elements');

/** Runs a set on a signal and records what became of it. */
async function runOnce(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  signal: PendingSignal,
  view: View,
): Promise<Outcome> {
  const begun = { signalId: signal.id, tokenId: signal.tokenId, element: view.element };
  const runId = await beginRun(tx, { ...begun, cause: 'signal', takesBackRunId: null }, set);
  const outcome: Outcome =
    view.payload === tooMany
      ? { state: 'failed', reason: `${set.forEach} has more than ${mostElements} elements.`, actions: idle(set) }
      : await runActions(tx, context, set, view, { signalId: signal.id, runId });
  await finishRun(tx, runId, set, outcome);
  return outcome;
}
