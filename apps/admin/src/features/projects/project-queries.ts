import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** All projects that one may see. */
export const projectsQuery = queryOptions({
  queryKey: ['GET /api/admin/projects'],
  queryFn: () => api('GET /api/admin/projects'),
});
