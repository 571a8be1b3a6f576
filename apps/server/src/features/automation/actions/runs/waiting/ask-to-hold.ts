import { overriddenText } from '#features/flags/automation-stops/index.ts';
import { findHold } from '#features/flags/holds/index.ts';
import { findSignal, type Signal, signalValue } from '#features/signals/signals/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type ActionSet, setsOfProjects } from '../../sets/index.ts';
import { holdStaysText } from '../acting/renew-holds.ts';
import type { RunContext } from '../acting/run-actions.ts';
import { checkHours } from '../deciding/hours.ts';
import { decisionMs, isFullOfQuestions, undecidedReason } from '../deciding/undecided.ts';
import { notStartedActions } from '../record/outcome.ts';
import { beginRun, finishRun, setOfRun } from '../record/store.ts';
import { waitingJob } from '../record/waiting-job.ts';
import { waitingConditions } from '../record/waiting-store.ts';
import { isHolding, waitsForOf, withHeldFlags } from '../views/holding.ts';
import { type MatchingView, matchingViews } from '../views/matching-views.ts';
import { parametersOf } from '../views/parameters.ts';
import { runValues, templateValues } from '../views/template-values.ts';
import { canTrigger } from '../views/triggers.ts';

/** A flag in an environment, with the project of the flag. */
interface FlagPlace {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

/** The latest signal about an alert that fires. */
export interface FiringReport {
  readonly signalEndpointId: number;
  readonly signalId: number;
  /** The index of the alert in its signal; null for a signal of one alert. */
  readonly element: number | null;
}

/** A run that waits for a person since now. */
export interface AskedRun {
  readonly runId: number;
  readonly actionSetId: number;
  readonly name: string;
  readonly signalId: number;
}

/**
 * Lets a person decide about holds on a flag: one run waits for each action set and firing alert whose latest report
 * held the flag, or would have, had no override been in force. Asks about no hold that exists, and not twice.
 */
export async function askToHold(
  tx: Tx,
  context: RunContext,
  place: FlagPlace,
  { alerts, why }: { readonly alerts: readonly FiringReport[]; readonly why: string },
): Promise<AskedRun[]> {
  tx.allowNoEvents('action runs');
  const sets = (await setsOfProjects(tx.db, [place.project])).filter(
    (set) => set.enabled && !set.shadow && set.actions.some(isHolding) && checkHours(set, tx.now) === undefined,
  );
  const asked: AskedRun[] = [];
  for (const set of sets) {
    const ofEndpoint = alerts.filter(({ signalEndpointId }) => signalEndpointId === set.endpointId);
    const waiting = new Set(await waitingConditions(tx.db, set.id));
    for (const [signalId, reports] of Map.groupBy(ofEndpoint, (alert) => alert.signalId)) {
      const signal = await findSignal(tx.db, signalId);
      if (signal === undefined || !canTrigger(signal, set)) continue;
      for (const view of await viewsToAskFor(tx.db, set, signal, reports)) {
        const condition = waitsForOf(set, view);
        if (condition === undefined || waiting.has(condition) || !(await wouldHold(tx, context, set, view, place)))
          continue;
        if (await isFullOfQuestions(tx.db, set.id)) return asked;
        waiting.add(condition);
        asked.push(await ask(tx, context, set, { view, signal, condition, why }));
      }
    }
  }
  if (asked.length > 0) tx.enqueue(waitingJob);
  return asked;
}

/**
 * Returns the views of a signal that fire, and for which a run of a set held its flags, found them held, or was stopped
 * by an override.
 */
async function viewsToAskFor(
  db: Db,
  set: ActionSet,
  signal: Signal,
  reports: readonly FiringReport[],
): Promise<MatchingView[]> {
  const runs = await db
    .selectFrom('action_runs')
    .select(['id', 'element', 'state', 'reason', 'action_set'])
    .where('signal_id', '=', signal.id)
    .where('action_set_id', '=', set.id)
    .where('cause', '=', 'signal')
    .where('state', 'in', ['success', 'skipped'])
    .execute();
  const held = runs.filter(
    ({ state, reason, ...run }) =>
      state === 'success' ||
      reason?.startsWith(overriddenText) === true ||
      setOfRun(db, run).actions.some(({ details }) => details === holdStaysText),
  );
  const fires = (element: number | null) =>
    element === null || reports.some((report) => report.element === null || report.element === element);
  const ran = new Set(held.map(({ element }) => element).filter(fires));
  if (ran.size === 0) return [];
  return matchingViews(set, signalValue(signal)).views.filter(({ element, releases }) => !releases && ran.has(element));
}

/** Returns whether a set would hold a flag for a view, and does not hold it yet. */
async function wouldHold(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  view: MatchingView,
  { featureName, environment }: FlagPlace,
): Promise<boolean> {
  const values = templateValues(set, view, runValues(context));
  for (const action of set.actions.filter(isHolding)) {
    const params = parametersIfPossible(action, values);
    if (params?.['featureName'] !== featureName || params['environment'] !== environment) continue;
    const holder = { kind: 'run', key: String(params['key']), actionSetId: set.id } as const;
    if ((await findHold(tx.db, { featureName, environment, holder })) === undefined) return true;
  }
  return false;
}

function parametersIfPossible(...[action, values]: Parameters<typeof parametersOf>) {
  try {
    return parametersOf(action, values).params as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

interface Question {
  readonly view: MatchingView;
  readonly signal: Signal;
  readonly condition: string;
  readonly why: string;
}

async function ask(
  tx: Tx,
  context: RunContext,
  set: ActionSet,
  { view, signal, condition, why }: Question,
): Promise<AskedRun> {
  const { element } = view;
  const { id: signalId, tokenId } = signal;
  const origin = {
    signalId,
    tokenId,
    element,
    cause: 'override-ended',
    takesBackRunId: null,
    alert: condition,
  } as const;
  const runId = await beginRun(tx, origin, set);
  await finishRun(tx, runId, set, {
    state: 'waiting',
    reason: undecidedReason(why),
    decideBy: tx.now + decisionMs,
    waitsFor: condition,
    actions: withHeldFlags(notStartedActions(set), view, runValues(context, runId)),
  });
  return { runId, actionSetId: set.id, name: set.name, signalId };
}
