import type { Author, Cause } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { isUnavailable } from '#storage/driver-errors.ts';
import type { Tx } from '#storage/tx.ts';
import { queueCall } from '../../calls/index.ts';
import type { ActionResult, KindLimits, PlannedCall } from '../../kinds/index.ts';
import type { PayloadView } from '../../matching/index.ts';
import type { Action, ActionSet } from '../../sets/index.ts';
import type { Breaker } from '../deciding/guards.ts';
import type { RunFacts } from '../deciding/run-facts.ts';
import { notStarted, notStartedActions, type Outcome, type RanAction, toChange } from '../record/outcome.ts';
import { onlyGivesBack } from '../views/holding.ts';
import { type RunLinks, runValues, templateValues } from '../views/template-values.ts';
import { executeAction } from './execute-action.ts';

export interface RunContext extends RunLinks {
  readonly limits: KindLimits;
  readonly breaker: Breaker;
  /** How long a call is retried. */
  readonly deliveryLifetimeMs: number;
  /** Called after a change that queued calls has committed. */
  readonly onCallQueued: () => void;
  /** Called after a run of a signal has committed with its outcome. */
  readonly onRun: (outcome: Outcome) => void;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

const internalErrorText = 'An internal error occurred. See the server log.';

/**
 * Runs the actions of a set in order, as its service account. After a failed action the rest is not started: earlier
 * changes stay, and changes of the failed action are rolled back. A run that only releases goes on after a failure: the
 * alert ends once, so a deleted flag must not keep the other flags held. Rejects only when the database fails; the run
 * is retried then. A run whose actions all had nothing to do is skipped.
 */
export async function runActions(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  view: PayloadView,
  cause: Cause,
  facts: RunFacts,
): Promise<Outcome> {
  const account = await facts.account(tx.db, set.actorId);
  if (account === undefined)
    return { state: 'failed', reason: 'The service account was deleted.', actions: notStartedActions(set) };
  const author = { ...account, cause, reason: set.name };
  const goesOn = onlyGivesBack(set);
  const ran: RanAction[] = [];
  for (const action of set.actions) {
    const isStopped = !goesOn && ran.some(({ state }) => state === 'failed');
    ran.push(isStopped ? notStarted(action) : await runAction(tx, context, set, action, view, author));
  }
  const failure = ran.find(({ state }) => state === 'failed');
  if (failure !== undefined) return { state: 'failed', reason: failure.details, actions: ran };
  const [first] = ran;
  const hadNothingToDo = first !== undefined && ran.every(({ state }) => state === 'not started');
  return hadNothingToDo
    ? { state: 'skipped', reason: first.details, actions: ran }
    : { state: 'success', reason: null, actions: ran };
}

async function runAction(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  action: Action,
  view: PayloadView,
  author: Author,
): Promise<RanAction> {
  const before = tx.recorded().length;
  try {
    const result = await tx.nested(author, async (part) => {
      const values = templateValues(set, view, runValues(context, author.cause.runId));
      const executed = await executeAction(part, context.limits, set, action, values);
      if (executed?.call !== undefined) await queueCallOfRun(part, context, set, action, executed.call);
      return executed;
    });
    if (result?.nothingToDo === true) return { ...notStarted(action), details: result.details ?? null };
    const changes = tx.recorded().slice(before).map(toChange);
    return { ...action, state: 'success', details: result?.details ?? null, changes, call: withoutHeaders(result) };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (!(error instanceof Problem)) context.onError(error);
    const details = error instanceof Problem ? error.message : internalErrorText;
    return { ...action, state: 'failed', details, changes: [], call: null };
  }
}

/** Queues the call in the transaction of the run. A dry run queues nothing. */
async function queueCallOfRun(
  tx: Tx,
  { deliveryLifetimeMs, onCallQueued }: RunContext,
  set: ActionSet,
  action: Action,
  call: PlannedCall,
): Promise<void> {
  const { runId } = tx.by.cause;
  if (runId === undefined) return;
  tx.allowNoEvents('action runs');
  await queueCall(tx, { runId, actionSetId: set.id, actionId: action.id }, call, deliveryLifetimeMs);
  tx.afterCommit(onCallQueued);
}

function withoutHeaders(result: ActionResult | undefined): RanAction['call'] {
  if (result?.call === undefined) return null;
  const { method, url, body } = result.call;
  return { method, url, body };
}
