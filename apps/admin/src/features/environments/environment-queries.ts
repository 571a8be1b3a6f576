import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type Environment = Answer<'GET /api/admin/environments'>['environments'][number];

/** All environments, in their order. */
export const environmentsQuery = queryOptions({
  queryKey: ['GET /api/admin/environments'],
  queryFn: async () => (await api('GET /api/admin/environments')).environments,
});
