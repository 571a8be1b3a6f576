import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** All projects that one may see. */
export const projectsQuery = queryOptions({
  queryKey: ['GET /api/admin/projects'],
  queryFn: () => api('GET /api/admin/projects'),
});

/** The archived ones of them. */
export const archivedProjectsQuery = queryOptions({
  queryKey: ['GET /api/admin/projects', 'archived'],
  queryFn: () => api('GET /api/admin/projects', { query: { archived: 'true' } }),
});
