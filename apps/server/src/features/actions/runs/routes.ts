import type { actionRoutes } from '@yardarm/contract';
import type { Handlers } from '../../../http/handler.ts';
import type { Database } from '../../../storage/database.ts';
import { requireSet } from '../sets/index.ts';
import { presentRun } from './present.ts';
import { listRuns } from './store.ts';

type OfRuns = 'GET /api/admin/projects/:projectId/actions/:actionSetId/events';

export function runHandlers({ db }: Database): Handlers<Pick<typeof actionRoutes, OfRuns>> {
  return {
    'GET /api/admin/projects/:projectId/actions/:actionSetId/events': async ({ params, query }) => {
      await requireSet(db, params.projectId, params.actionSetId);
      const runs = await listRuns(db, params.actionSetId, query);
      return { status: 200, body: { actionSetEvents: runs.map(presentRun) } };
    },
  };
}
