import type { featureDependencyRoutes } from '@yardarm/contract';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { possibleParents, variantNames } from './queries.ts';
import { hasDependencies } from './store.ts';

export function featureDependencyHandlers({ db, write }: Database): Handlers<typeof featureDependencyRoutes> {
  return {
    'GET /api/admin/projects/:projectId/dependencies': async ({ params }) => {
      await requireProject(db, params.projectId);
      return { body: await hasDependencies(db, params.projectId) };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/dependencies': async ({ params, body, author }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => commands.addDependency(tx, ref, body));
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies': async ({ params, author }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => commands.removeDependencies(tx, ref));
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies/:parent': async ({ params, author }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => commands.removeDependency(tx, ref, params.parent));
    },
    'GET /api/admin/projects/:projectId/features/:featureName/parents': async ({ params }) => ({
      body: await possibleParents(db, { project: params.projectId, featureName: params.featureName }),
    }),
    'GET /api/admin/projects/:projectId/features/:parent/parent-variants': async ({ params }) => ({
      body: await variantNames(db, { project: params.projectId, featureName: params.parent }),
    }),
    'POST /api/admin/projects/:projectId/archive/validate': async ({ params, body }) => ({
      body: await commands.previewArchiving(db, { project: params.projectId, featureNames: body.features }),
    }),
  };
}
