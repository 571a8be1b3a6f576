import type { featureLifecycleRoutes } from '@yardarm/contract';
import { requireFeature } from '#features/flags/feature/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { completeFeature, uncompleteFeature } from './commands.ts';
import { presentStageEntry, type Stage, stagesOf } from './stage.ts';
import { countStages } from './store.ts';

export function featureLifecycleHandlers({ db, write }: Database): Handlers<typeof featureLifecycleRoutes> {
  return {
    'GET /api/admin/lifecycle/count': async ({ caller }) => {
      const counts = await countStages(db, { notIn: [...caller.hidden] });
      const sum = (stage: Stage) =>
        counts.filter((row) => row.stage === stage).reduce((total, { count }) => total + count, 0);
      return {
        body: {
          initial: sum('initial'),
          preLive: sum('pre-live'),
          live: sum('live'),
          completed: sum('completed'),
          archived: sum('archived'),
        },
      };
    },
    'GET /api/admin/projects/:projectId/features/:featureName/lifecycle': async ({ params }) => {
      const feature = await requireFeature(db, { project: params.projectId, featureName: params.featureName });
      return { body: stagesOf(feature).map(presentStageEntry) };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete': async (input) => {
      const { params, body, author } = input;
      const ref = { project: params.projectId, featureName: params.featureName };
      const completion = { status: body.status, value: body.statusValue ?? null };
      await write(author, (tx) => completeFeature(tx, ref, completion));
    },
    'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete': async ({ params, author }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => uncompleteFeature(tx, ref));
    },
  };
}
