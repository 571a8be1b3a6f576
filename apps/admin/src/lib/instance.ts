import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** The installation: its version, its limits by name, whether it is in maintenance mode. */
export const instanceQuery = queryOptions({
  queryKey: ['GET /api/admin/ui-config'],
  queryFn: () => api('GET /api/admin/ui-config'),
  staleTime: 60_000,
});

/** The resource limits, by name. */
export const limitsQuery = queryOptions({ ...instanceQuery, select: ({ resourceLimits }) => resourceLimits });
