import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

const route = 'GET /api/admin/first-steps';

export type Progress = Answer<typeof route>;

/** Which first steps have really happened. Read anew on each visit: a reader returns right after a step. */
export const firstStepsQuery = queryOptions({ queryKey: [route], queryFn: () => api(route), staleTime: 0 });
