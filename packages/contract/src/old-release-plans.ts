import { releasePlanRoutes } from './release-plans.ts';
import { defineRoutes, type RouteSpec } from './route.ts';

const {
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': list,
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': add,
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId': remove,
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start':
    start,
} = releasePlanRoutes;

/** Returns the spec of a deprecated path. The type is that of the current path, because both have the same handler. */
function earlier<Spec extends RouteSpec>(spec: Spec): Spec {
  return { ...spec, deprecated: true, summary: `Deprecated path with an underscore. ${spec.summary}` };
}

/** Earlier paths of release plans, with an underscore. Unleash serves them as deprecated. */
export const oldReleasePlanRoutes = defineRoutes({
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans': earlier(list),
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans': earlier(add),
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans/:planId':
    earlier(remove),
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans/:planId/milestones/:milestoneId/start':
    earlier(start),
});
