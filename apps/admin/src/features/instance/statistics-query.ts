import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

const key = 'GET /api/admin/instance-admin/statistics';

export type Numbers = Answer<typeof key>;

/** The statistics of the installation. */
export const statisticsQuery = apiQuery(key);
