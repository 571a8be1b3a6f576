import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

const key = 'GET /api/admin/instance-admin/statistics';

export type Numbers = Answer<typeof key>;

/** The statistics of the installation. */
export const statisticsQuery = queryOptions({ queryKey: [key], queryFn: () => api(key) });
