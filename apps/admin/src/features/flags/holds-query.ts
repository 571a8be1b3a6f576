import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { Hold } from './hold-words.ts';

const route = 'GET /api/admin/projects/:projectId/features/:featureName/leases';

/**
 * Returns the query for all holds on a flag. Its key has the hold in force, so that the holds are loaded again when
 * another hold is in force.
 */
export const holdsQuery = ({ project, name }: { readonly project: string; readonly name: string }, inForce: Hold) =>
  queryOptions({
    queryKey: [route, project, name, inForce.id],
    queryFn: () => api(route, { params: { projectId: project, featureName: name } }),
  });
