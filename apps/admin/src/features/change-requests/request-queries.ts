import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type ChangeRequest = Answer<'GET /api/admin/projects/:projectId/change-requests/:id'>;
export type RequestState = ChangeRequest['state'];
export type FlagChangeAsked = ChangeRequest['features'][number]['changes'][number];

/** States of requests that are neither applied nor given up. */
export const openStates: readonly RequestState[] = ['Draft', 'In review', 'Approved', 'Scheduled'];
export const closedStates: readonly RequestState[] = ['Applied', 'Rejected', 'Cancelled'];

/** What names a change request. */
export interface RequestParams {
  readonly projectId: string;
  readonly id: number;
}

export const requestQuery = ({ projectId, id }: RequestParams) =>
  queryOptions({
    queryKey: ['GET /api/admin/projects/:projectId/change-requests/:id', projectId, id],
    queryFn: () => api('GET /api/admin/projects/:projectId/change-requests/:id', { params: { projectId, id } }),
  });

/** How many change requests wait for the reader to approve or apply them. */
export const waitingQuery = queryOptions({
  queryKey: ['GET /api/admin/search/change-requests', 'waiting'],
  queryFn: async () =>
    (await api('GET /api/admin/search/change-requests', { query: { actionable: 'true', limit: '1' } })).total,
  refetchInterval: 60_000,
});

/** Does something to a change request, after which everything that it may have changed is read anew. */
export function useRequestChange<V>(act: (variables: V) => Promise<unknown>, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      // Applying one changes flags and segments, of which any page may show something.
      await queries.invalidateQueries();
      onDone?.();
    },
  });
}

/** The routes that answer otherwise once a change request is another. */
export const requestRoutes = [
  'GET /api/admin/projects/:projectId/change-requests/:id',
  'GET /api/admin/projects/:projectId/change-requests',
  'GET /api/admin/projects/:projectId/change-requests/pending/:featureName',
  'GET /api/admin/search/change-requests',
] as const;
