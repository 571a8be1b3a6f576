import type { Author, Cause } from '../../../kernel/actor.ts';
import { Problem } from '../../../kernel/errors.ts';
import { isUnavailable } from '../../../storage/driver-errors.ts';
import type { NewEvent, Tx } from '../../../storage/tx.ts';
import { queueCall } from '../calls/index.ts';
import type { Did, KindLimits, PlannedCall } from '../kinds/index.ts';
import type { NamedRun, View } from '../matching/index.ts';
import type { Action, ActionSet } from '../sets/index.ts';
import type { Authors } from './authors.ts';
import { doAction } from './doing.ts';

export type RunState = 'started' | 'success' | 'failed' | 'skipped';

/** Something that an action changed, or would have. */
export type Change = Pick<NewEvent, 'type'> & {
  readonly featureName: string | null;
  readonly environment: string | null;
};

/** An action with what became of it. */
export interface RanAction extends Action {
  readonly state: 'not started' | 'started' | 'success' | 'failed';
  /** Why it failed, or what else there is to say. */
  readonly details: string | null;
  readonly changes: readonly Change[];
  /** The request that it asks for, without what may be secret. */
  readonly call: Omit<PlannedCall, 'headers'> | null;
}

/** The run as templates name it; 0 stands for the run of a rehearsal. */
export function namedRun({ runUrl }: Pick<RunContext, 'runUrl'>, id = 0): NamedRun {
  return { id, url: runUrl(id) };
}

/** What became of a run. */
export interface Outcome {
  readonly state: RunState;
  /** Why it was skipped, or failed before its first action. */
  readonly reason: string | null;
  readonly actions: readonly RanAction[];
}

export interface RunContext {
  /** The address of the page of a run. */
  readonly runUrl: (runId: number) => string;
  readonly limits: KindLimits;
  /** Told when a change that asks for requests has been committed. */
  readonly callQueued: () => void;
  /** Told of failures that are nobody's mistake but ours. */
  readonly onError: (error: unknown) => void;
}

const ours = 'It failed for a reason that the log of the server tells.';

/**
 * Runs the actions of a set on a payload as its service account, in their order; after one that fails the others are not
 * started. What was done before stays, and what the failed one did is undone. Rejects only when the database fails: then nothing
 * of it is there, and it is to be tried again.
 */
export async function runActions(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  { payload }: View,
  cause: Cause,
  authors: Authors,
): Promise<Outcome> {
  const acting = await authors.of(tx.db, set.actorId);
  if (acting === undefined) return { state: 'failed', reason: 'The service account is gone.', actions: idle(set) };
  const author = { ...acting, cause };
  const ran: RanAction[] = [];
  for (const action of set.actions) {
    const failed = ran.at(-1)?.state === 'failed';
    ran.push(failed ? notStarted(action) : await runAction(tx, context, set, action, payload, author));
  }
  return { state: ran.some(({ state }) => state === 'failed') ? 'failed' : 'success', reason: null, actions: ran };
}

/** The actions of a set of which none was started. */
export function idle(set: ActionSet): RanAction[] {
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
  payload: unknown,
  author: Author,
): Promise<RanAction> {
  const before = tx.recorded().length;
  try {
    const did = await tx.nested(author, async (part) => {
      const done = await doAction(part, context.limits, set, action, {
        payload,
        run: namedRun(context, author.cause.runId),
      });
      if (done?.call !== undefined) await queue(part, context, set, action, done.call);
      return done;
    });
    const changes = tx.recorded().slice(before).map(changeOf);
    return { ...action, state: 'success', details: did?.details ?? null, changes, call: shownCall(did) };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (!(error instanceof Problem)) context.onError(error);
    const details = error instanceof Problem ? error.message : ours;
    return { ...action, state: 'failed', details, changes: [], call: null };
  }
}

/** Asks for the request in the change that records the run; in a rehearsal there is none. */
async function queue(
  tx: Tx,
  { callQueued }: RunContext,
  set: ActionSet,
  action: Action,
  call: PlannedCall,
): Promise<void> {
  const { runId } = tx.by.cause;
  if (runId === undefined) return;
  tx.allowNoEvents('action runs');
  await queueCall(tx, { runId, actionSetId: set.id, actionId: action.id }, call);
  tx.afterCommit(callQueued);
}

function shownCall(did: Did | undefined): RanAction['call'] {
  if (did?.call === undefined) return null;
  const { method, url, body } = did.call;
  return { method, url, body };
}

/** What an event tells of, in short. */
export function changeOf({ type, featureName, environment }: NewEvent): Change {
  return { type, featureName: featureName ?? null, environment: environment ?? null };
}
