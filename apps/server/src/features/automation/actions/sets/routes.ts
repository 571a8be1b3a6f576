import type { actionRoutes } from '@yardarm/contract';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { listBlockedSets } from './blocked.ts';
import type { SetLimits } from './check.ts';
import * as commands from './commands.ts';
import { definitionsFor } from './definitions.ts';
import { loadSetNames } from './names.ts';
import { presentBlocked, presentSet, presentSetForReader } from './present.ts';
import type { Outbound } from './require-reachable.ts';
import { requireReachable } from './require-reachable.ts';
import { listSets } from './store.ts';

type RouteOfOtherRoom = Extract<
  keyof typeof actionRoutes,
  | `${string}/actions/:actionSetId/${string}`
  | `${string}/actions/${'rehearse' | 'backtest'}`
  | `${string}/match-preview`
>;

export function actionSetHandlers(
  { db, write }: Database,
  limits: SetLimits,
  outbound: Outbound,
): Handlers<Omit<typeof actionRoutes, RouteOfOtherRoom>> {
  return {
    'GET /api/admin/projects/:projectId/actions': async ({ params, caller }) => {
      await requireProject(db, params.projectId);
      const present = caller.can('ADMIN') ? presentSet : presentSetForReader;
      const [sets, blocked] = await Promise.all([
        listSets(db, params.projectId),
        listBlockedSets(db, { projects: [params.projectId] }),
      ]);
      const namesOf = await loadSetNames(db, sets);
      const bySet = new Map(blocked.map((row) => [row.actionSetId, presentBlocked(row)]));
      return {
        body: {
          actions: sets.map((set) => ({ ...present(set), ...namesOf(set), blocked: bySet.get(set.id) ?? null })),
        },
      };
    },
    'POST /api/admin/projects/:projectId/actions': async ({ params, body, author }) => {
      await requireReachable(outbound, body.actions);
      const set = await write(author, (tx) => commands.createSet(tx, limits, params.projectId, body));
      return { body: presentSet(set), headers: { location: `actions/${set.id}` } };
    },
    'GET /api/admin/projects/:projectId/actions/config': async ({ params }) => ({
      body: await definitionsFor(db, params.projectId),
    }),
    'PUT /api/admin/projects/:projectId/actions/:id': async ({ params, body, author }) => {
      await requireReachable(outbound, body.actions);
      const set = await write(author, (tx) => commands.updateSet(tx, limits, params.projectId, params.id, body));
      return { body: presentSet(set) };
    },
    'DELETE /api/admin/projects/:projectId/actions/:id': async ({ params, author }) =>
      write(author, (tx) => commands.deleteSet(tx, params.projectId, params.id)),
    'POST /api/admin/projects/:projectId/actions/:id/on': async ({ params, author }) => {
      const set = await write(author, (tx) => commands.setEnabled(tx, params.projectId, params.id, true));
      return { body: presentSet(set) };
    },
    'POST /api/admin/projects/:projectId/actions/:id/off': async ({ params, author }) => {
      const set = await write(author, (tx) => commands.setEnabled(tx, params.projectId, params.id, false));
      return { body: presentSet(set) };
    },
  };
}
