import { queryOptions } from '@tanstack/react-query';
import { apiQuery } from './api-query.ts';

/** The installation: its version, its limits by name, whether it is in maintenance mode. */
export const instanceQuery = queryOptions({ ...apiQuery('GET /api/admin/ui-config'), staleTime: 60_000 });

/** The resource limits, by name. */
export const limitsQuery = queryOptions({ ...instanceQuery, select: ({ resourceLimits }) => resourceLimits });
