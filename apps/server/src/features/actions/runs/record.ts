import type { Cause } from '../../../kernel/actor.ts';
import type { Tx } from '../../../storage/tx.ts';
import { mostElements, prepareFilters, type View, viewsOf } from '../matching/index.ts';
import type { ActionSet } from '../sets/index.ts';
import type { Authors } from './authors.ts';
import { callsTooSoon, goesTooFar, noteEffects, targetsOf, tooFew } from './guards.ts';
import { idle, type Outcome, type RunContext, runActions } from './run.ts';
import { beginRun, finishRun, type RunCause } from './store.ts';

/** What sets a run off. */
export interface Trigger {
  readonly signal: { readonly id: number; readonly tokenId: number };
  readonly cause: Extract<RunCause, 'signal' | 'replay'>;
  /** Why nothing may be changed now, whatever the set says. */
  readonly halted: string | undefined;
  readonly authors: Authors;
}

/** What of a payload passes the filters of a set: the runs that it sets off. */
export function matching(set: ActionSet, payload: unknown): View[] | 'too many' {
  const views = viewsOf(payload, set.forEach);
  if (views.length > mostElements) return 'too many';
  const verdictsOf = prepareFilters(set.filters);
  return views.filter(({ payload }) => verdictsOf(payload).every(({ passes }) => passes));
}

/** Runs a set for each thing in a payload that sets it off, and records each run; answers the runs with what became of them. */
export async function runSet(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  payload: unknown,
  trigger: Trigger,
): Promise<{ readonly id: number; readonly outcome: Outcome }[]> {
  const views = matching(set, payload);
  const runs: { id: number; outcome: Outcome }[] = [];
  for (const view of views === 'too many' ? [undefined] : views) {
    const { signal, cause } = trigger;
    const begun = { signalId: signal.id, tokenId: signal.tokenId, element: view?.element ?? null };
    const id = await beginRun(tx, { ...begun, cause, takesBackRunId: null }, set);
    const outcome =
      view === undefined
        ? stopped(set, 'failed', `${set.forEach} has more than ${mostElements} elements.`)
        : await guarded(tx, context, set, view, id, trigger);
    await finishRun(tx, id, set, outcome);
    runs.push({ id, outcome });
  }
  return runs;
}

function stopped(set: ActionSet, state: 'failed' | 'skipped', reason: string): Outcome {
  return { state, reason, actions: idle(set) };
}

/** Runs the actions unless something is against it; what they did is undone when a guard says so, or it is only to be seen. */
async function guarded(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  view: View,
  runId: number,
  { signal, cause, halted, authors }: Trigger,
): Promise<Outcome> {
  if (halted !== undefined) return stopped(set, 'skipped', halted);
  const few = cause === 'signal' ? await tooFew(tx, set, runId) : undefined;
  if (few !== undefined) return stopped(set, 'skipped', few);
  return undoing(tx, async (part, undo) => {
    const because: Cause = { ...tx.by.cause, signalId: signal.id, runId };
    const outcome = await runActions(part, context, set, view, because, authors);
    const targets = targetsOf(outcome.actions.flatMap(({ changes }) => changes));
    const reason = (await goesTooFar(part, set, targets)) ?? (await callsTooSoon(part, set, runId, outcome.actions));
    if (reason !== undefined) return undo(stopped(set, 'skipped', reason));
    if (set.shadow) return undo(outcome);
    if (targets.length > 0) await noteEffects(part, set, runId, targets);
    const calls = outcome.actions.some(({ call }) => call !== null);
    // It has come to its end when what it asked for has been called.
    return calls && outcome.state === 'success' ? { ...outcome, state: 'started' } : outcome;
  });
}

/** Carries what was made of a change that is taken back. */
class Undone<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('undone');
    this.result = result;
  }
}

/** Runs `work` as a part of the change, which it may undo and yet answer what came of it. */
export async function undoing<T>(tx: Tx, work: (part: Tx, undo: (result: T) => never) => Promise<T>): Promise<T> {
  const undo = (result: T): never => {
    throw new Undone(result);
  };
  try {
    return await tx.nested(tx.by, (part) => {
      part.allowNoEvents('action runs');
      return work(part, undo);
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as T;
    throw error;
  }
}
