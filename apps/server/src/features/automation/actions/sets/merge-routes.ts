import type { actionMergeRoutes } from '@yardarm/contract';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import type { ActionSet } from './action-set.ts';
import type { SetLimits } from './check.ts';
import { mergeSets } from './merge.ts';
import { findPairs } from './pairs.ts';
import { presentSet } from './present.ts';

/** Serves the routes that list the pairs of sets and merge a pair. */
export function mergeHandlers({ db, write }: Database, limits: SetLimits): Handlers<typeof actionMergeRoutes> {
  return {
    'GET /api/admin/projects/:projectId/actions/pairs': async ({ params: { projectId } }) => {
      await requireProject(db, projectId);
      const pairs = (await findPairs(db, projectId)).map(({ holding, releasing, merged, problems }) => ({
        holding: nameOf(holding),
        releasing: nameOf(releasing),
        merged: presentSet(merged),
        problems: [...problems],
      }));
      return { body: { pairs } };
    },
    'POST /api/admin/projects/:projectId/actions/:id/merge': async ({ params, body, author }) => {
      const asked = { project: params.projectId, holdingId: params.id, ...body };
      const set = await write(author, (tx) => mergeSets(tx, limits, asked));
      return { body: presentSet(set) };
    },
  };
}

function nameOf({ id, name }: ActionSet) {
  return { id, name };
}
