import type { actionRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { requireSet } from '../sets/index.ts';
import { replay } from './acting/replay.ts';
import type { RunContext } from './acting/run-actions.ts';
import { takeBack } from './acting/take-back.ts';
import { presentRun } from './record/present.ts';
import { findRuns, listRuns, type RunWithSignal } from './record/store.ts';
import { visibleRun } from './record/visible-run.ts';
import { drop, holdNow } from './waiting/hold-or-drop.ts';

type RunRoute = Extract<keyof typeof actionRoutes, `${string}/actions/:actionSetId/${string}`>;

export function runHandlers(
  { db, write }: Database,
  context: RunContext,
): Handlers<Pick<typeof actionRoutes, RunRoute>> {
  return {
    'GET /api/admin/projects/:projectId/actions/:actionSetId/events': async ({ params, query, caller }) => {
      await requireSet(db, params.projectId, params.actionSetId);
      const runs = await listRuns(db, params.actionSetId, query);
      return { body: { actionSetEvents: runs.map((run) => presentRun(visibleRun(run, caller))) } };
    },
    'GET /api/admin/projects/:projectId/actions/:actionSetId/events/:runId': async ({ params, caller }) => ({
      body: presentRun(visibleRun(await requireRun(db, params), caller)),
    }),
    'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back': async ({ params, author }) => {
      const id = await write(author, async (tx) => takeBack(tx, context.limits, await requireRun(tx.db, params)));
      return { body: presentRun(await requireRun(db, { ...params, runId: id })) };
    },
    'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/hold-now': async (input) => {
      const { params, body, author, caller } = input;
      await write(author, async (tx) => holdNow(tx, context, await requireRun(tx.db, params), body.reason));
      return { body: presentRun(visibleRun(await requireRun(db, params), caller)) };
    },
    'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/drop': async (input) => {
      const { params, body, author, caller } = input;
      await write(author, async (tx) => drop(tx, await requireRun(tx.db, params), body.reason));
      return { body: presentRun(visibleRun(await requireRun(db, params), caller)) };
    },
    'POST /api/admin/projects/:projectId/actions/:actionSetId/replay': async ({ params, body, author }) => {
      const ids = await write(author, async (tx) =>
        replay(tx, context, await requireSet(tx.db, params.projectId, params.actionSetId), body.signalId),
      );
      return { body: { actionSetEvents: (await findRuns(db, ids)).map(presentRun) } };
    },
  };
}

interface RunRef {
  readonly projectId: string;
  readonly actionSetId: number;
  readonly runId: number;
}

/** Returns a run, also when its set was deleted. Rejects with 404 when it belongs to another set or project. */
export async function requireRun(db: Db, { projectId, actionSetId, runId }: RunRef): Promise<RunWithSignal> {
  const [run] = await findRuns(db, [runId]);
  if (run?.project === projectId && run.actionSetId === actionSetId) return run;
  throw new Problem('NotFoundError', `The action set ${actionSetId} has no run ${runId}.`);
}
