import type { Cause } from '../../../kernel/actor.ts';
import type { Tx } from '../../../storage/tx.ts';
import { compileFilters, maxElements, type PayloadView, payloadViews } from '../matching/index.ts';
import type { ActionSet } from '../sets/index.ts';
import type { AccountCache } from './account-cache.ts';
import { changedTargets, checkCallCooldown, checkChangeGuards, checkQuorum, saveEffects } from './guards.ts';
import { notStartedActions, type Outcome, type RunContext, runActions } from './run-actions.ts';
import { beginRun, finishRun, type RunCause } from './store.ts';

/** The cause of a run. */
export interface Trigger {
  readonly signal: { readonly id: number; readonly tokenId: number };
  readonly cause: Extract<RunCause, 'signal' | 'replay'>;
  /** The reason why actions are halted now, if any. */
  readonly halted: string | undefined;
  readonly accounts: AccountCache;
}

/** Returns the views of a payload that pass the filters of a set; the set runs once for each. */
export function matchingViews(set: ActionSet, payload: unknown): PayloadView[] | 'too many' {
  const views = payloadViews(payload, set.forEach);
  if (views.length > maxElements) return 'too many';
  const testFilters = compileFilters(set.filters);
  return views.filter(({ payload }) => testFilters(payload).every(({ passes }) => passes));
}

/** Runs a set for each matching view of a payload and records each run. Returns the runs with their outcomes. */
export async function runSet(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  payload: unknown,
  trigger: Trigger,
): Promise<{ readonly id: number; readonly outcome: Outcome }[]> {
  const views = matchingViews(set, payload);
  const runs: { id: number; outcome: Outcome }[] = [];
  for (const view of views === 'too many' ? [undefined] : views) {
    const { signal, cause } = trigger;
    const origin = { signalId: signal.id, tokenId: signal.tokenId, element: view?.element ?? null };
    const id = await beginRun(tx, { ...origin, cause, takesBackRunId: null }, set);
    const outcome =
      view === undefined
        ? notRun(set, 'failed', `The array at ${set.forEach} has more than ${maxElements} elements.`)
        : await runWithGuards(tx, context, set, view, id, trigger);
    await finishRun(tx, id, set, outcome);
    runs.push({ id, outcome });
  }
  return runs;
}

function notRun(set: ActionSet, state: 'failed' | 'skipped', reason: string): Outcome {
  return { state, reason, actions: notStartedActions(set) };
}

/** Runs the actions unless a guard forbids it. Rolls them back when a guard is violated or the set is a shadow. */
async function runWithGuards(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  view: PayloadView,
  runId: number,
  { signal, cause, halted, accounts }: Trigger,
): Promise<Outcome> {
  if (halted !== undefined) return notRun(set, 'skipped', halted);
  const quorumReason = cause === 'signal' ? await checkQuorum(tx, set, runId) : undefined;
  if (quorumReason !== undefined) return notRun(set, 'skipped', quorumReason);
  return withRollback(tx, async (part, rollback) => {
    const runCause: Cause = { ...tx.by.cause, signalId: signal.id, runId };
    const outcome = await runActions(part, context, set, view, runCause, accounts);
    const targets = changedTargets(outcome.actions.flatMap(({ changes }) => changes));
    const reason =
      (await checkChangeGuards(part, set, targets)) ?? (await checkCallCooldown(part, set, runId, outcome.actions));
    if (reason !== undefined) return rollback(notRun(set, 'skipped', reason));
    if (set.shadow) return rollback(outcome);
    if (targets.length > 0) await saveEffects(part, set, runId, targets);
    const calls = outcome.actions.some(({ call }) => call !== null);
    // The run ends when its calls have ended.
    return calls && outcome.state === 'success' ? { ...outcome, state: 'started' } : outcome;
  });
}

/** Rolls back a part of a transaction and carries its result. */
class RolledBack<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('rolled back');
    this.result = result;
  }
}

/**
 * Runs `work` behind a savepoint. `work` may call `rollback` with its result to undo its changes and still return the
 * result.
 */
export async function withRollback<T>(
  tx: Tx,
  work: (part: Tx, rollback: (result: T) => never) => Promise<T>,
): Promise<T> {
  const rollback = (result: T): never => {
    throw new RolledBack(result);
  };
  try {
    return await tx.nested(tx.by, (part) => {
      part.allowNoEvents('action runs');
      return work(part, rollback);
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}
