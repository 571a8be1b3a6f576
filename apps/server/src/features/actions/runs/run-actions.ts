import type { Author, Cause } from '../../../kernel/actor.ts';
import { Problem } from '../../../kernel/errors.ts';
import { isUnavailable } from '../../../storage/driver-errors.ts';
import type { NewEvent, Tx } from '../../../storage/tx.ts';
import { queueCall } from '../calls/index.ts';
import type { ActionResult, KindLimits, PlannedCall } from '../kinds/index.ts';
import type { PayloadView, RunValues } from '../matching/index.ts';
import type { Action, ActionSet } from '../sets/index.ts';
import { executeAction } from './execute-action.ts';
import { onlyGivesBack } from './holding.ts';
import type { RunFacts } from './run-facts.ts';
import { templateValues } from './template-values.ts';

/** The state of a run. A `waiting` run was stopped: it is tried again later, or waits for a person. */
export type RunState = 'started' | 'waiting' | 'success' | 'failed' | 'skipped';

/** A change that an action made, or would make in a dry run. */
export type Change = Pick<NewEvent, 'type'> & {
  readonly featureName: string | null;
  readonly environment: string | null;
};

/** An action with its result. */
export interface RanAction extends Action {
  /** `not started` also means that the action had nothing to do. */
  readonly state: 'not started' | 'started' | 'success' | 'failed';
  /** The reason of a failure, or other details. */
  readonly details: string | null;
  readonly changes: readonly Change[];
  /** The request of its call, without headers, which may be secret. */
  readonly call: Omit<PlannedCall, 'headers'> | null;
}

/** Returns the values of a run for templates. A dry run has the id 0. */
export function runValues({ runUrl }: Pick<RunContext, 'runUrl'>, id = 0): RunValues {
  return { id, url: runUrl(id) };
}

/** The outcome of a run. */
export interface Outcome {
  readonly state: RunState;
  /** Why the run waits, was skipped or failed (the details of the failed action); null for other runs. */
  readonly reason: string | null;
  /** True when a guard or an override stopped the run. */
  readonly guarded?: boolean;
  /** True when the run waits because its service account was deleted or lacks a permission. */
  readonly blocked?: true;
  /** The earliest time at which a waiting run continues, in milliseconds UTC. */
  readonly waitsUntil?: number;
  /** The condition under which a waiting run would hold flags. */
  readonly waitsFor?: string;
  /** The time until which a run waits for the decision of a person, in milliseconds UTC. */
  readonly decideBy?: number;
  readonly actions: readonly RanAction[];
}

/** The limit of flags that a set without a limit of its own begins to hold within a time. */
export interface Breaker {
  /** 0 for no limit. */
  readonly flags: number;
  readonly minutes: number;
}

export interface RunContext {
  /** Returns the address of the page of a run. */
  readonly runUrl: (runId: number) => string;
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

/** Returns the actions of a set as not started. */
export function notStartedActions(set: Pick<ActionSet, 'actions'>): RanAction[] {
  return set.actions.map(notStarted);
}

function notStarted(action: Action): RanAction {
  return { ...action, state: 'not started', details: null, changes: [], call: null };
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

/** Converts an event to a change. */
export function toChange({ type, featureName, environment }: NewEvent): Change {
  return { type, featureName: featureName ?? null, environment: environment ?? null };
}
