import type { milestoneEffectRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { type EffectOptions, milestoneEffect } from './milestone-effect.ts';

export function milestoneEffectHandlers(options: EffectOptions): Handlers<typeof milestoneEffectRoutes> {
  return {
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/effect':
      async ({ params: { projectId: project, ...params }, body }) => ({
        body: await milestoneEffect(options, { project, ...params }, body),
      }),
  };
}
