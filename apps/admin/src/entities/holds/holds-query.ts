import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { Hold } from './flag-hold.ts';

const route = 'GET /api/admin/projects/:projectId/features/:featureName/leases';

/** The beginning of the keys of queries for the holds on a flag. */
export const holdsOfFlag = ({ projectId, featureName }: { readonly projectId: string; readonly featureName: string }) =>
  [route, projectId, featureName] as const;

/**
 * Returns the query for all holds on a flag. Its key has the hold in force, so that the holds are loaded again when
 * another hold is in force.
 */
export const holdsQuery = ({ project, name }: { readonly project: string; readonly name: string }, inForce: Hold) =>
  queryOptions({
    queryKey: [...holdsOfFlag({ projectId: project, featureName: name }), inForce.id],
    queryFn: () => api(route, { params: { projectId: project, featureName: name } }),
  });
