import { type StopInForce, stopFor } from '#features/flags/automation-stops/index.ts';
import type { Tx } from '#storage/tx.ts';
import { alertOf, conditionOf, formerView } from '../../matching/index.ts';
import type { ActionSet, ListeningSet } from '../../sets/index.ts';
import { whyGroupFires } from '../deciding/alert-groups.ts';
import { type CurrentRun, currentRun } from '../deciding/current-run.ts';
import { automationOf, findReason } from '../deciding/decision.ts';
import { checkQuorum } from '../deciding/guards.ts';
import { checkHours } from '../deciding/hours.ts';
import type { IsLate } from '../deciding/late-alerts.ts';
import type { RunFacts } from '../deciding/run-facts.ts';
import { notRun, type Outcome } from '../record/outcome.ts';
import { reportRun } from '../record/report-run.ts';
import { beginRun, finishRun, type RunCause } from '../record/store.ts';
import { waitingJob } from '../record/waiting-job.ts';
import { endedText, repeatedText, skipWaitingHolds } from '../record/waiting-store.ts';
import { withFormerEnds } from '../views/former-ends.ts';
import { waitsForOf } from '../views/holding.ts';
import { type MatchingView, type MatchingViews, setFor } from '../views/matching-views.ts';
import { withSomethingToEnd } from '../views/over-limit.ts';
import { act, end } from './act.ts';
import type { RunContext } from './run-actions.ts';

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
  const { signal, cause, facts, formerEnds = [] } = trigger;
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
      facts.prepare(tx, running.actorId),
    ]);
    const outcome =
      view === undefined
        ? notRun(running, stopped?.state ?? 'skipped', stopped?.reason ?? '')
        : await runView(tx, context, currentRun(cause, { id, set: running, view, signal, facts }), trigger);
    tx.goOn(() => finishRun(tx, id, running, outcome));
    if (outcome.state === 'waiting') tx.enqueue(waitingJob);
    if (cause === 'signal') await reportRun(tx, context, set, { id, signalId: signal.id }, outcome);
    runs.push({ id, outcome });
  }
  return { runs, isDone: runs.length === left.length };
}

/**
 * Decides about a run for a view, and runs its actions unless the alert is over, a quorum is missing, it is outside the
 * hours or automation is stopped.
 */
async function runView(
  tx: Tx,
  context: RunContext,
  run: CurrentRun<MatchingView>,
  { isLate, stop }: Pick<Trigger, 'isLate' | 'stop'>,
): Promise<Outcome> {
  const { id, set, view } = run;
  const over = await findReason<'on arrival'>(run, {
    late: () => isLate?.(view),
    'group fires': () => whyGroupFires(tx, set.endpointId, view),
  });
  if (over !== undefined) return end(tx, context, run, { found: over });
  await replaceWaitingRuns(tx, run);
  const found = await findReason<'before acting'>(run, {
    // Each signal that passes the release filters releases what the set holds.
    quorum: () => (view.releases ? undefined : checkQuorum(tx, set, id)),
    hours: () => checkHours(set, tx.now),
    stop: () => {
      const stopped = stopFor(automationOf[run.kind], stop);
      return stopped && { text: stopped.reason, rule: stopped.rule };
    },
  });
  return found === undefined ? act(tx, context, run) : end(tx, context, run, { found });
}

/** Skips the runs of a set that wait to hold flags for the alert of a signal: its run replaces them. */
async function replaceWaitingRuns(tx: Tx, { id, occasion, set, view, waitsFor }: CurrentRun<MatchingView>) {
  if (occasion !== 'signal' || waitsFor === undefined) return;
  const reason = `${view.releases ? endedText : repeatedText}: see run ${id}.`;
  const before = formerView(view);
  const former = before && waitsForOf(set, before);
  const endedAt = view.releases ? (alertOf(view)?.occurredAt ?? null) : null;
  const ends = new Map([waitsFor, former ?? waitsFor].map((name) => [name, endedAt]));
  await skipWaitingHolds(tx, { setIds: [set.id], ends }, { reason });
}
