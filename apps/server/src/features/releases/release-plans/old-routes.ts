import type { oldReleasePlanRoutes, releasePlanRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';

/** Returns the handlers of the earlier paths with `release_plans`: those of the present paths, `release-plans`. */
export function oldReleasePlanHandlers(
  present: Handlers<typeof releasePlanRoutes>,
): Handlers<typeof oldReleasePlanRoutes> {
  const {
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': list,
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': add,
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId':
      remove,
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start':
      start,
  } = present;
  return {
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans': list,
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans': add,
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans/:planId':
      remove,
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans/:planId/milestones/:milestoneId/start':
      start,
  };
}
