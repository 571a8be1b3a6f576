import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type RunDetail = Answer<'GET /api/admin/action-runs/:runId'>;
export type ListedRun = Answer<'GET /api/admin/action-runs'>['runs'][number];
export type ExecutedAction = RunDetail['actionSet']['actions'][number];
export type ActionChange = ExecutedAction['changes'][number];
export type View = RunDetail['views'][number];

export const runQuery = (runId: number) =>
  queryOptions({
    queryKey: ['GET /api/admin/action-runs/:runId', runId],
    queryFn: () => api('GET /api/admin/action-runs/:runId', { params: { runId } }),
  });

/** The runs of a signal, newest first, up to 100. */
export const runsOfSignalQuery = (signal: number) =>
  queryOptions({
    queryKey: ['GET /api/admin/action-runs', signal],
    queryFn: async () =>
      (await api('GET /api/admin/action-runs', { query: { signal: `IS:${signal}`, limit: '100' } })).runs,
  });
