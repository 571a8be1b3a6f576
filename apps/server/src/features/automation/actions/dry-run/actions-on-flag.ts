import type { PlanAction } from '#features/releases/release-plans/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { findKind } from '../kinds/index.ts';
import { conditionOf, type PayloadView } from '../matching/index.ts';
import {
  canTrigger,
  checkHours,
  matchingViews,
  parametersOf,
  type RunContext,
  runValues,
  setFor,
} from '../runs/index.ts';
import { type Action, type ActionSet, setsOfProjects } from '../sets/index.ts';
import { maxSignals, newestSignals, type StoredSignal } from './stored-signals.ts';

interface FlagPlace {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

/**
 * Returns what the enabled action sets of a project would have done to the release plan of a flag for the stored
 * signals since a time, oldest first. Checks the hours of the sets, but not guards that depend on earlier runs.
 * `readSince` is later than `since` when an endpoint has more signals than are read.
 */
export async function actionsOnFlag(
  db: Db,
  context: Pick<RunContext, 'runUrl'>,
  place: FlagPlace,
  since: number,
): Promise<{ readonly actions: readonly PlanAction[]; readonly readSince: number }> {
  const sets = (await setsOfProjects(db, [place.project])).filter(
    ({ enabled, shadow, actions: own }) => enabled && !shadow && own.some(actsOnPlans),
  );
  const actions: PlanAction[] = [];
  let readSince = since;
  for (const [endpointId, ofEndpoint] of Map.groupBy(sets, (set) => set.endpointId)) {
    let [read, oldest] = [0, since];
    for await (const signal of newestSignals(db, endpointId, since)) {
      read++;
      oldest = signal.createdAt;
      for (const set of ofEndpoint) actions.push(...rehearse(context, set, signal, place));
    }
    if (read === maxSignals) readSince = Math.max(readSince, oldest);
  }
  return { actions: actions.toSorted((a, b) => a.at - b.at || a.signalId - b.signalId), readSince };
}

/** Returns whether an action can affect release plans. */
function actsOnPlans({ action }: Action): boolean {
  return findKind(action)?.onPlan !== undefined;
}

function rehearse(
  context: Pick<RunContext, 'runUrl'>,
  set: ActionSet,
  signal: StoredSignal,
  { featureName, environment }: FlagPlace,
): PlanAction[] {
  if (!canTrigger(signal, set)) return [];
  const { views } = matchingViews(set, signal.payload);
  const { id: signalId, createdAt: at } = signal;
  const by = { actionSetId: set.id, userId: set.actorId, ownHolds: set.releaseFilters !== null, at };
  return views
    .filter(({ releases }) => releases || checkHours(set, at) === undefined)
    .flatMap((view) => setFor(set, view).actions.flatMap((action) => readAction(context, set, action, view) ?? []))
    .filter(({ params }) => params['featureName'] === featureName && params['environment'] === environment)
    .flatMap(({ kind, params }) => kind.onPlan?.(params, by) ?? [])
    .map((does) => ({ at, signalId, set: { id: set.id, name: set.name }, does }));
}

/** Returns an action as it would have run for a view of a payload; undefined when it would have failed. */
function readAction(context: Pick<RunContext, 'runUrl'>, set: ActionSet, action: Action, view: PayloadView) {
  const condition = set.releaseFilters === null ? undefined : conditionOf(view);
  try {
    return parametersOf(action, { payload: view.payload, run: runValues(context), condition });
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
