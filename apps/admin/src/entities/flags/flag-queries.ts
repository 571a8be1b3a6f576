import { queryOptions, useMutation } from '@tanstack/react-query';
import { type Answer, api, type RouteKey } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useInvalidate } from '../../lib/use-invalidate.ts';
import { useReportError } from '../../ui/report-error.ts';

export type Flag = Answer<'GET /api/admin/projects/:projectId/features/:featureName'>;
export type FlagEnvironment = Flag['environments'][number];

/** Identifies a flag. */
export interface FlagParams {
  readonly projectId: string;
  readonly featureName: string;
}

export const flagQuery = (params: FlagParams) =>
  queryOptions({
    queryKey: ['GET /api/admin/projects/:projectId/features/:featureName', params.projectId, params.featureName],
    queryFn: () => api('GET /api/admin/projects/:projectId/features/:featureName', { params: { ...params } }),
  });

export const projectOverviewQuery = (projectId: string) =>
  queryOptions({
    ...apiQuery('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
    staleTime: 30_000,
  });

export const featureTypesQuery = queryOptions({
  ...apiQuery('GET /api/admin/feature-types', {}, ({ types }) => types),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The routes to invalidate after a change of flags. */
export const changedByFlags: readonly RouteKey[] = [
  'GET /api/admin/projects/:projectId/features/:featureName',
  'GET /api/admin/search/features',
  'GET /api/admin/projects/:projectId/features/:featureName/leases',
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans',
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards',
  'GET /api/admin/leases',
  'GET /api/admin/search/events',
  'GET /api/admin/projects/:projectId/change-requests/pending/:featureName',
  'GET /api/admin/projects/:projectId/overview',
  'GET /api/admin/projects',
  'GET /api/admin/segments',
];

/** Returns a function that invalidates everything a change of flags may affect. */
export function useFlagsChanged(): () => Promise<unknown> {
  const invalidate = useInvalidate();
  return () => invalidate(changedByFlags);
}

/** Changes a flag without review. Errors are shown as a notification. */
export function useFlagAction<V>(act: (variables: V) => Promise<unknown>, onDone?: () => void) {
  const changed = useFlagsChanged();
  const report = useReportError();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await changed();
      onDone?.();
    },
    onError: report,
  });
}
