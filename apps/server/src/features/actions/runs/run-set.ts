import type { Cause } from '../../../kernel/actor.ts';
import { withRollback } from '../../../storage/rollback.ts';
import type { Tx } from '../../../storage/tx.ts';
import { type AutomationKind, type StopInForce, type Stopped, stopFor } from '../../automation-stops/index.ts';
import { alertOf, conditionOf, formerView, type PayloadView } from '../matching/index.ts';
import { type ActionSet, type ListeningSet, whyBlocked } from '../sets/index.ts';
import { whyGroupFires } from './alert-groups.ts';
import { withFormerEnds } from './former-ends.ts';
import {
  changedTargets,
  checkBreaker,
  checkCallCooldown,
  checkFlagsPerHour,
  checkPace,
  checkQuorum,
  findOverride,
  heldPlaces,
  saveEffects,
  type Target,
  type TooFast,
} from './guards.ts';
import { isHolding, onlyGivesBack, onlyHolds, waitsForOf } from './holding.ts';
import { checkHours } from './hours.ts';
import type { IsLate } from './late-alerts.ts';
import { type MatchingView, type MatchingViews, setFor } from './matching-views.ts';
import { withSomethingToEnd } from './over-limit.ts';
import { renewHolds, withStayingHolds } from './renew-holds.ts';
import { reportRun } from './report-run.ts';
import { notStartedActions, type Outcome, type RunContext, runActions } from './run-actions.ts';
import type { RunFacts } from './run-facts.ts';
import { beginRun, finishRun, type RunCause } from './store.ts';
import { letPersonDecide } from './undecided.ts';
import { waitingJob } from './waiting-job.ts';
import { endedText, repeatedText, skipWaitingHolds } from './waiting-store.ts';

/** The signal for which a set runs, and the circumstances of the run. */
export interface Trigger {
  readonly signal: { readonly id: number; readonly tokenId: number };
  readonly cause: Extract<RunCause, 'signal' | 'replay'>;
  /** The stop that concerns the actions of the endpoint now, if there is one. */
  readonly stop: StopInForce | undefined;
  readonly facts: RunFacts;
  /** Returns the views of the payload that a set runs for. */
  readonly viewsOf: (set: ActionSet) => MatchingViews;
  /** Returns why a view reports an alert as firing after its end; absent for a replay. */
  readonly isLate?: IsLate;
  /** How earlier versions of the set release what they hold; absent for a replay. */
  readonly formerEnds?: ListeningSet['formerEnds'];
}

interface FinishedRun {
  readonly id: number;
  readonly outcome: Outcome;
}

/** The part of the views of a payload that a set runs for in one transaction. */
interface Part {
  /** The elements for which the set has run already. */
  readonly done: ReadonlySet<number | null> | undefined;
  readonly atMost: number;
}

const everything: Part = { done: undefined, atMost: Number.POSITIVE_INFINITY };

/**
 * Runs a set for the matching views of a payload and records each run. Returns the runs with their outcomes, and
 * whether no view is left.
 */
export async function runSet(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  payload: unknown,
  trigger: Trigger,
  { done, atMost }: Part = everything,
): Promise<{ readonly runs: readonly FinishedRun[]; readonly isDone: boolean }> {
  const { views, ends, stopped } = trigger.viewsOf(set);
  const { signal, cause, formerEnds = [] } = trigger;
  const current = [...(await withSomethingToEnd(tx.db, set, ends)), ...views].map((view) => {
    return { view, set: setFor(set, view) };
  });
  const ending = formerEnds.length > 0;
  const all = ending ? await withFormerEnds(tx.db, { ...set, formerEnds }, { payload, signal }, current) : current;
  // The run of a payload that the set refuses, in whole or in part, has no element.
  const refused =
    stopped === undefined || all.some(({ view }) => view.element === null) ? [] : [{ set, view: undefined }];
  const left = [...all, ...refused].filter(({ view }) => done?.has(view?.element ?? null) !== true);
  const runs: FinishedRun[] = [];
  for (const { view, set: running } of left.slice(0, atMost)) {
    const alert = (view && conditionOf(view)) ?? null;
    const origin = { signalId: signal.id, tokenId: signal.tokenId, element: view?.element ?? null, alert };
    const [id] = await Promise.all([
      beginRun(tx, { ...origin, cause, takesBackRunId: null }, running),
      trigger.facts.prepare(tx, running.actorId),
    ]);
    const outcome =
      view === undefined
        ? notRun(running, stopped?.state ?? 'skipped', stopped?.reason ?? '')
        : await runWithGuards(tx, context, running, view, id, trigger);
    tx.goOn(() => finishRun(tx, id, running, outcome));
    if (outcome.state === 'waiting') tx.enqueue(waitingJob);
    if (cause === 'signal') await reportRun(tx, context, set, { id, signalId: signal.id }, outcome);
    runs.push({ id, outcome });
  }
  return { runs, isDone: runs.length === left.length };
}

/** Returns the outcome of a run that started no action. */
export function notRun(set: Pick<ActionSet, 'actions'>, state: 'failed' | 'skipped', reason: string): Outcome {
  return { state, reason, actions: notStartedActions(set) };
}

/** Returns the kind of automation that the run of a set is. */
function kindOf(set: ActionSet): Extract<AutomationKind, `${string} by an action`> {
  if (onlyGivesBack(set)) return 'release by an action';
  return set.actions.some(isHolding) ? 'hold by an action' : 'change by an action';
}

/** Returns the outcome of a run that a stop, or the pace of changes, keeps from acting. */
function stopped(
  set: ActionSet,
  cause: Trigger['cause'],
  { rule, reason }: Pick<Stopped, 'rule' | 'reason'>,
  waitsUntil: number,
): Outcome {
  const waits = cause === 'signal' && !set.shadow && rule === 'waits';
  return waits ? { ...notRun(set, 'skipped', reason), state: 'waiting', waitsUntil } : notRun(set, 'skipped', reason);
}

/**
 * Returns the outcome of a run that a guard stops for a while. A run that only holds flags also waits, if its set
 * releases them: when the alert ends, the run is skipped.
 */
function paused(set: ActionSet, view: PayloadView, cause: Trigger['cause'], { reason, until }: TooFast): Outcome {
  const waits = cause === 'signal' && !set.shadow && set.releaseFilters !== null && onlyHolds(set);
  const waitsFor = waits ? waitsForOf(set, view) : undefined;
  if (waitsFor === undefined)
    return stopped(set, cause, { rule: onlyGivesBack(set) ? 'waits' : 'is skipped', reason }, until);
  return { ...notRun(set, 'skipped', reason), state: 'waiting', waitsUntil: until, waitsFor };
}

/** Runs the actions unless the alert is over, a quorum is missing, automation is halted or a guard forbids it. */
async function runWithGuards(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  view: MatchingView,
  runId: number,
  trigger: Trigger,
): Promise<Outcome> {
  const { cause, isLate } = trigger;
  const stop = stopFor(kindOf(set), trigger.stop);
  const late = isLate?.(view);
  if (late !== undefined) return notRun(set, 'skipped', late);
  const fires = cause === 'signal' && onlyGivesBack(set) ? await whyGroupFires(tx, set.endpointId, view) : undefined;
  if (fires !== undefined) return notRun(set, 'skipped', fires);
  const condition = cause === 'signal' ? waitsForOf(set, view) : undefined;
  if (condition !== undefined) {
    const reason = `${view.releases ? endedText : repeatedText}: see run ${runId}.`;
    const before = formerView(view);
    const former = before && waitsForOf(set, before);
    const endedAt = view.releases ? (alertOf(view)?.occurredAt ?? null) : null;
    const ends = new Map([condition, former ?? condition].map((name) => [name, endedAt]));
    await skipWaitingHolds(tx, { setIds: [set.id], ends }, { reason });
  }
  // The quorum applies to acting only. Each signal that passes the release filters releases what the set holds.
  const quorumReason = cause === 'signal' && !view.releases ? await checkQuorum(tx, set, runId) : undefined;
  const runCause: Cause = { ...tx.by.cause, signalId: trigger.signal.id, runId };
  if (quorumReason !== undefined) {
    // A signal below the quorum does not renew holds, so this is rolled back: it only shows whether the holds exist.
    const stays = await withRollback(tx, async (part, rollback) => {
      part.allowNoEvents('action runs');
      return rollback(await renewHolds(part, context, set, view, runCause, trigger.facts));
    });
    const outcome = notRun(set, 'skipped', quorumReason);
    return stays ? withStayingHolds(outcome) : outcome;
  }
  const closed = cause === 'signal' && !onlyGivesBack(set) ? checkHours(set, tx.now) : undefined;
  const outcome =
    closed !== undefined
      ? notRun(set, 'skipped', closed)
      : stop !== undefined
        ? stopped(set, cause, stop, tx.now)
        : await attempt(tx, context, set, view, runId, trigger);
  if (['skipped', 'waiting', 'failed'].includes(outcome.state) && cause === 'signal') {
    const isHeld = await renewHolds(tx, context, set, view, runCause, trigger.facts);
    if (stop?.rule === 'waits for a person' && closed === undefined && !isHeld)
      return letPersonDecide(tx, context, set, view, runId, outcome);
    if (isHeld) return withStayingHolds(outcome);
  }
  return outcome;
}

/** The signal for which actions run. `isDecided`: a person has decided that they run. */
type Attempt = Pick<Trigger, 'signal' | 'cause' | 'facts'> & { readonly isDecided?: boolean };

/**
 * Runs the actions of a set for one view of a payload. Rolls them back when a guard is violated or the set is a shadow.
 */
export async function attempt(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  view: PayloadView,
  runId: number,
  { signal, cause, facts, isDecided = false }: Attempt,
): Promise<Outcome> {
  let effects: readonly Target[] = [];
  const ended = await withRollback<Outcome>(tx, async (part, rollback) => {
    part.allowNoEvents('action runs');
    const runCause: Cause = { ...tx.by.cause, signalId: signal.id, runId };
    const before = part.recorded().length;
    const outcome = await runActions(part, context, set, view, runCause, facts);
    const changes = outcome.actions.flatMap((action) => action.changes);
    const targets = changedTargets(changes);
    const events = part.recorded().slice(before);
    const held = heldPlaces(events);
    const override = stopFor(kindOf(set), findOverride(await facts.overrides(part), changes));
    if (override !== undefined)
      return rollback({ ...stopped(set, cause, override, tx.now + overriddenMs), guarded: true });
    const reason = await checkCallCooldown(part, set, runId, outcome.actions);
    if (reason !== undefined) return rollback({ ...notRun(set, 'skipped', reason), guarded: true });
    const tooFast =
      (onlyGivesBack(set) ? undefined : await checkFlagsPerHour(part, set, targets, held)) ??
      (await checkPace(part, set, targets, held));
    if (tooFast !== undefined) return rollback({ ...paused(set, view, cause, tooFast), guarded: true });
    if (set.shadow) return rollback(outcome);
    const tooMany = cause === 'signal' && !isDecided && (await checkBreaker(part, context.breaker, set, events));
    if (tooMany) {
      const halted = { ...notRun(set, 'skipped', tooMany), guarded: true };
      return rollback(await letPersonDecide(part, context, set, view, runId, halted));
    }
    effects = targets;
    const calls = outcome.actions.some(({ call }) => call !== null);
    // The run ends when its calls have ended.
    if (calls && outcome.state === 'success') return { ...outcome, state: 'started' };
    return cause === 'signal' ? waitForRights(part, set, outcome) : outcome;
  });
  if (effects.length > 0) tx.goOn(() => saveEffects(tx, set, runId, effects));
  return ended;
}

/** The delay before a release is tried again that an override stops. */
const overriddenMs = 10_000;
/** The delay before a release is tried again when its service account lacked a permission. */
const blockedMs = 60_000;

/**
 * Returns the outcome of a run. A release that failed because its set is blocked waits instead, because its sender
 * reports the end of an alert once.
 */
async function waitForRights(tx: Tx, set: ActionSet, outcome: Outcome): Promise<Outcome> {
  const why = outcome.state === 'failed' && onlyGivesBack(set) ? await whyBlocked(tx.db, set) : undefined;
  if (why === undefined) return outcome;
  const reason = `${why} The release is tried again each minute.`;
  return { ...outcome, state: 'waiting', reason, blocked: true, waitsUntil: tx.now + blockedMs };
}
