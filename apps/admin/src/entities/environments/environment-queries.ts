import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Environment = Answer<'GET /api/admin/environments'>['environments'][number];

/** All environments, in order. */
export const environmentsQuery = apiQuery('GET /api/admin/environments', {}, ({ environments }) => environments);

/** Returns the query for the names of all environments, or of those of a project, in order. */
export function environmentNamesQuery(projectId: string | undefined) {
  if (projectId === undefined)
    return queryOptions({
      queryKey: ['GET /api/admin/environments', 'names'],
      queryFn: async () => (await api('GET /api/admin/environments')).environments.map(({ name }) => name),
    });
  const route = 'GET /api/admin/environments/project/:projectId';
  return queryOptions({
    queryKey: [route, projectId],
    queryFn: async () => (await api(route, { params: { projectId } })).environments.map(({ name }) => name),
  });
}
