import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** The active projects that the user can see. */
export const projectsQuery = queryOptions({
  queryKey: ['GET /api/admin/projects'],
  queryFn: () => api('GET /api/admin/projects'),
});

/** The archived projects that the user can see. */
export const archivedProjectsQuery = queryOptions({
  queryKey: ['GET /api/admin/projects', 'archived'],
  queryFn: () => api('GET /api/admin/projects', { query: { archived: 'true' } }),
});
