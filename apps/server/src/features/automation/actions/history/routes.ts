import type { actionRunRoutes, EventType } from '@yardarm/contract';
import { labelOf } from '#features/log/events/index.ts';
import { requireEndpoint, signalValue } from '#features/signals/signals/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';
import { payloadViews } from '../matching/index.ts';
import {
  compileMatch,
  eventsOfRun,
  presentChange,
  presentRun,
  type RunContext,
  type RunWithSignal,
  readableProjects,
  renderParametersIfPossible,
  requireRun,
  requireVisibleRun,
  runValues,
  takenBackBy,
  triggerOf,
  visibleRun,
} from '../runs/index.ts';
import { findSet, loadSetNames, presentBlocked, presentSet, setsOfEndpoint } from '../sets/index.ts';
import { previewTakeBack } from './preview-take-back.ts';
import { type ListedRun, type ListedSet, listRunsOf, listSetsOf } from './store.ts';

/**
 * The maximum number of other runs of the same signal: a set may run for each element of an array, and again in
 * replays.
 */
const maxSiblings = 1000;

export function historyHandlers({ db, write }: Database, context: RunContext): Handlers<typeof actionRunRoutes> {
  return {
    'GET /api/admin/actions': async ({ query, caller }) => {
      const { sets, total } = await listSetsOf(db, { projects: await readableProjects(db, caller), ...query });
      return { body: { actions: sets.map(presentListedSet), total } };
    },
    'GET /api/admin/action-runs': async ({ query: { signal, state, ...page }, caller }) => {
      const projects = await readableProjects(db, caller);
      const runs = await listRunsOf(db, { signalIds: signal, projects, states: state && [state], ...page });
      return { body: { runs: runs.map(presentListed) } };
    },
    'GET /api/admin/action-runs/:runId': async ({ params: { runId }, caller }) => {
      const run = await requireVisibleRun(db, caller, runId);
      return { body: await detailOf(db, context, run, caller) };
    },
    'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back/rehearse': async (input) => {
      const { params, author } = input;
      // An author without an origin needs no reason for the change. The preview is rolled back, so it needs none.
      const { origin: _, ...by } = author;
      const { changes, refused } = await previewTakeBack(write, by, context, (tx) => requireRun(tx.db, params));
      return { body: { changes: changes.map(presentChange), refused } };
    },
    'GET /api/admin/signal-endpoints/:signalEndpointId/actions': async ({ params: { signalEndpointId } }) => {
      await requireEndpoint(db, signalEndpointId);
      return { body: { actions: (await setsOfEndpoint(db, signalEndpointId)).map(presentSet) } };
    },
  };
}

async function detailOf(db: Db, context: RunContext, run: RunWithSignal, caller: Pick<Identity, 'can'>) {
  const { id, project, actionSetId, signalId } = run;
  const showsPayload = caller.can('READ_SIGNALS');
  const [set, takenBack, siblings, events, namesOf] = await Promise.all([
    findSet(db, actionSetId),
    takenBackBy(db, id),
    listRunsOf(db, { signalIds: [signalId], actionSetId, offset: 0, limit: maxSiblings }),
    eventsOfRun(db, run),
    loadSetNames(db, [run.set]),
  ]);
  return {
    ...presentRun(visibleRun(showsPayload ? withParameters(context, run) : run, caller)),
    project,
    setIsThere: set !== undefined,
    actorName: namesOf(run.set).actorName,
    takenBackByRunId: takenBack ?? null,
    decideBy: isoTimeOrNull(run.decideBy),
    views: showsPayload ? viewsOfRun(run) : [],
    siblings: siblings.toReversed().map(presentListed),
    events: events.map(presentEvent),
  };
}

/** Returns the run with the rendered parameters of its actions. */
function withParameters(context: RunContext, run: RunWithSignal): RunWithSignal {
  if (run.signal === undefined) return run;
  const view = payloadViews(signalValue(run.signal), run.set.forEach).find(({ element }) => element === run.element);
  if (view === undefined) return run;
  const values = { payload: view.payload, run: runValues(context, run.id) };
  const actions = run.set.actions.map((action) => renderParametersIfPossible(action, values));
  return { ...run, set: { ...run.set, actions } };
}

/** Returns, for each view of the signal, the results of the filters that the set had at the time of the run. */
function viewsOfRun({ set, signal }: RunWithSignal) {
  if (signal === undefined) return [];
  const views = payloadViews(signalValue(signal), set.forEach);
  const match = compileMatch(set);
  return views.map((view) => {
    const { filters, ...matched } = match(view);
    return { element: view.element, ...matched, filters: [...filters] };
  });
}

function presentListed({ cause, tokenId, createdAt, ...run }: ListedRun) {
  return { ...run, trigger: triggerOf({ cause, tokenId }), createdAt: isoTime(createdAt) };
}

function presentListedSet({ lastRun, blocked, ...set }: ListedSet) {
  const shown = { ...set, blocked: blocked && presentBlocked(blocked) };
  if (lastRun === null) return { ...shown, lastRun };
  const { cause, tokenId, createdAt, ...run } = lastRun;
  return { ...shown, lastRun: { ...run, trigger: triggerOf({ cause, tokenId }), createdAt: isoTime(createdAt) } };
}

function presentEvent(row: EventRow) {
  const type = row.type as EventType;
  return {
    id: row.id,
    type,
    label: labelOf(row),
    createdBy: row.created_by,
    createdAt: isoTime(row.created_at),
    featureName: row.feature_name,
    environment: row.environment,
  };
}
