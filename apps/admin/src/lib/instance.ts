import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** What this installation is: its version, its limits by name, whether it is in maintenance. */
export const instanceQuery = queryOptions({
  queryKey: ['GET /api/admin/ui-config'],
  queryFn: () => api('GET /api/admin/ui-config'),
  staleTime: 60_000,
});

/** How many there may be of things, by the name of the limit. */
export const limitsQuery = queryOptions({ ...instanceQuery, select: ({ resourceLimits }) => resourceLimits });
