import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type RunDetail = Answer<'GET /api/admin/action-runs/:runId'>;
export type ListedRun = Answer<'GET /api/admin/action-runs'>['runs'][number];
export type ExecutedAction = RunDetail['actionSet']['actions'][number];
export type ActionChange = ExecutedAction['changes'][number];
export type View = RunDetail['views'][number];

export const runQuery = (runId: number) => apiQuery('GET /api/admin/action-runs/:runId', { params: { runId } });

/** The runs of a signal, newest first, up to 100. */
export const runsOfSignalQuery = (signal: number) =>
  apiQuery('GET /api/admin/action-runs', { query: { signal: `IS:${signal}`, limit: '100' } }, ({ runs }) => runs);
