import type { Cause } from '#kernel/actor.ts';
import type { Tx } from '#storage/tx.ts';
import type { PayloadView } from '../../matching/index.ts';
import type { ActionSet } from '../../sets/index.ts';
import { isHolding, onlyGivesBack, waitsForOf } from '../views/holding.ts';
import type { Circumstances, Occasion, RunKind } from './decision.ts';
import type { RunFacts } from './run-facts.ts';

/** A run of a set for a view of the payload of a signal, while it is decided and its actions run. */
export interface CurrentRun<V extends PayloadView = PayloadView> extends Circumstances {
  readonly id: number;
  /** The set as it runs for the view. */
  readonly set: ActionSet;
  readonly view: V;
  readonly signal: { readonly id: number };
  readonly facts: RunFacts;
  /** The condition under which the run waits to hold flags; undefined when its set holds nothing. */
  readonly waitsFor: string | undefined;
}

/** Returns a run, with the circumstances that decide about it. */
export function currentRun<V extends PayloadView>(
  occasion: Occasion,
  run: Pick<CurrentRun<V>, 'id' | 'set' | 'view' | 'signal' | 'facts'>,
): CurrentRun<V> {
  const { set, view } = run;
  return { ...run, occasion, kind: kindOf(set), isShadow: set.shadow, waitsFor: waitsForOf(set, view) };
}

/** Returns the kind of the runs of a set. */
function kindOf(set: Pick<ActionSet, 'actions' | 'releaseFilters'>): RunKind {
  if (onlyGivesBack(set)) return 'release';
  if (!set.actions.some(isHolding)) return 'change';
  return set.releaseFilters !== null && set.actions.every(isHolding) ? 'hold while the alert fires' : 'hold';
}

/** Returns the cause of the changes of a run. */
export function causeOf(tx: Tx, { id, signal }: Pick<CurrentRun, 'id' | 'signal'>): Cause {
  return { ...tx.by.cause, signalId: signal.id, runId: id };
}
