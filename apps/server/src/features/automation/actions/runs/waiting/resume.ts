import { findSignal, type Signal, signalValue } from '#features/signals/signals/index.ts';
import type { Tx } from '#storage/tx.ts';
import { payloadViews } from '../../matching/index.ts';
import { type ActionSet, findSet } from '../../sets/index.ts';
import { act } from '../acting/act.ts';
import type { RunContext } from '../acting/run-actions.ts';
import { currentRun } from '../deciding/current-run.ts';
import type { Occasion } from '../deciding/decision.ts';
import { checkHours } from '../deciding/hours.ts';
import type { RunFacts } from '../deciding/run-facts.ts';
import type { Outcome } from '../record/outcome.ts';
import { notRun } from '../record/outcome.ts';
import type { Run } from '../record/store.ts';
import { onlyGivesBack } from '../views/holding.ts';
import { matchingViews, setFor } from '../views/matching-views.ts';
import { canTrigger } from '../views/triggers.ts';

/** The outcome of a run that has waited, with the set as it ran. */
export interface Resumed {
  readonly set: ActionSet;
  readonly outcome: Outcome;
}

/**
 * Runs a set, as it is now, for the signal of a run that has waited. The run is skipped when the set or the signal was
 * deleted, the set was disabled, or the signal no longer passes the filters. A hold that waited for a guard is also
 * skipped outside the hours of the set.
 */
export async function resume(
  tx: Tx,
  context: RunContext,
  run: Pick<Run, 'id' | 'actionSetId' | 'signalId' | 'element' | 'set'>,
  { occasion, facts }: { readonly occasion: Occasion; readonly facts: RunFacts },
): Promise<Resumed> {
  const [set, signal] = await Promise.all([findSet(tx.db, run.actionSetId), findSignal(tx.db, run.signalId)]);
  const skip = (reason: string): Resumed => ({
    set: set ?? run.set,
    outcome: notRun(set ?? { actions: [] }, 'skipped', reason),
  });
  if (set === undefined) return skip('The set of actions was deleted while this run waited.');
  if (!set.enabled) return skip('The set of actions was switched off while this run waited.');
  if (signal === undefined) return skip('The signal was deleted while this run waited.');
  const closed = occasion === 'waiting hold' ? checkHours(set, tx.now) : undefined;
  if (closed !== undefined) return skip(closed);
  const found = endsOwnHolds(run) ? releaseOf(set, run, signalValue(signal)) : runOf(set, run, signal);
  if (found === undefined)
    return skip('The set of actions was changed while this run waited: the signal does not match.');
  const { view, set: running } = found;
  return {
    set: running,
    outcome: await act(tx, context, currentRun(occasion, { id: run.id, set: running, view, signal, facts })),
  };
}

type WaitingRun = Parameters<typeof resume>[2];

/** Returns whether a run releases what its set held. */
function endsOwnHolds({ set }: WaitingRun): boolean {
  return set.releaseFilters !== null && onlyGivesBack(set);
}

/** Returns a release as it was asked for: an edit of the set does not keep the end of an alert from releasing. */
function releaseOf(set: ActionSet, run: WaitingRun, payload: unknown) {
  const { trigger, filters, releaseFilters, forEach, actions } = run.set;
  const view = payloadViews(payload, forEach).find(({ element }) => element === run.element);
  return view && { view, set: { ...set, trigger, filters, releaseFilters, forEach, actions } };
}

/** Returns the run of a set as it is now; undefined when its filters no longer pass. */
function runOf(set: ActionSet, { element }: WaitingRun, signal: Signal) {
  const { views } = canTrigger(signal, set) ? matchingViews(set, signalValue(signal)) : { views: [] };
  const view = views.find((candidate) => candidate.element === element);
  return view && { view, set: setFor(set, view) };
}
