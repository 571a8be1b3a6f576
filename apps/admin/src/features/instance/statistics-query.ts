import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

const key = 'GET /api/admin/instance-admin/statistics';

export type Numbers = Answer<typeof key>;

/** How much there is of everything. */
export const statisticsQuery = queryOptions({ queryKey: [key], queryFn: () => api(key) });
