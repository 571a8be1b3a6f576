import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

const plansRoute = 'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans';

export type Plan = Answer<typeof plansRoute>[number];
export type Milestone = Plan['milestones'][number];
export type Condition = NonNullable<Milestone['transitionCondition']>;

const effectRoute =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/effect';

export type MilestoneEffect = Answer<typeof effectRoute>;

/** The permissions to pause a plan, and to start an earlier milestone of it; any one of them is enough. */
export const lowering: readonly string[] = ['UPDATE_FEATURE_STRATEGY', 'LOWER_EXPOSURE'];

/** Path parameters of a flag in an environment. */
export interface Place {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
  readonly [name: string]: string;
}

/** Returns the key of the queries for the plans of a flag, in all environments. */
export function plansOfFlag({ projectId, featureName }: Pick<Place, 'projectId' | 'featureName'>) {
  return [plansRoute, projectId, featureName] as const;
}

/** The release plan of a flag in an environment; null when it has none. */
export const planQuery = (place: Place) =>
  queryOptions({
    queryKey: [...plansOfFlag(place), place.environment],
    queryFn: async () => (await api(plansRoute, { params: place }))[0] ?? null,
    // The times and counts that it waits for change without an event.
    refetchInterval: 15_000,
  });

/** The effect of a milestone on a sample of users, as if it started now. */
export const effectQuery = (
  place: Place,
  { id: planId, activeMilestoneId }: Plan,
  milestoneId: string,
  strategies: 'keep' | 'remove' = 'keep',
) =>
  queryOptions({
    queryKey: [effectRoute, planId, milestoneId, activeMilestoneId, strategies],
    queryFn: () => api(effectRoute, { params: { ...place, planId, milestoneId }, body: { strategies } }),
  });

export const templatesQuery = apiQuery('GET /api/admin/release-plan-templates');

const myRolesRoute = 'GET /api/admin/user/roles';

/** Returns the query for the ids of the roles that the signed-in user has in the instance and in a project. */
export const myRolesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [myRolesRoute, projectId],
    queryFn: async () => {
      const answers = await Promise.all([api(myRolesRoute), api(myRolesRoute, { query: { projectId } })]);
      return answers.flatMap(({ roles }) => roles.map(({ id }) => id));
    },
  });
