import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

const route = 'GET /api/admin/first-steps';

export type Progress = Answer<typeof route>;

/**
 * The first steps that have happened, as the server has seen them. Loaded again on each visit, because users return
 * right after a step.
 */
export const firstStepsQuery = queryOptions({ ...apiQuery(route), staleTime: 0 });
