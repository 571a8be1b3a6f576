import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ChangeRequest = Answer<'GET /api/admin/projects/:projectId/change-requests/:id'>;
export type RequestState = ChangeRequest['state'];
export type RequestedFlagChange = ChangeRequest['features'][number]['changes'][number];

/** States of requests that are not finished. */
export const openStates: readonly RequestState[] = ['Draft', 'In review', 'Approved', 'Scheduled'];
export const closedStates: readonly RequestState[] = ['Applied', 'Rejected', 'Cancelled'];

/** Identifies a change request. */
export interface RequestParams {
  readonly projectId: string;
  readonly id: number;
}

export const requestQuery = ({ projectId, id }: RequestParams) =>
  apiQuery('GET /api/admin/projects/:projectId/change-requests/:id', { params: { projectId, id } });

/** The number of change requests that the user can approve or apply. */
export const waitingQuery = apiQuery(
  'GET /api/admin/search/change-requests',
  { query: { actionable: 'true', limit: '1' } },
  ({ total }) => total,
);

/** Changes a change request. Invalidates all cached answers that the change may affect. */
export function useRequestChange<V>(act: (variables: V) => Promise<unknown>, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      // Applying a request changes flags and segments, which any page may show.
      await queries.invalidateQueries();
      onDone?.();
    },
  });
}

/** The routes to invalidate after a change of a change request. */
export const requestRoutes = [
  'GET /api/admin/projects/:projectId/change-requests/:id',
  'GET /api/admin/projects/:projectId/change-requests',
  'GET /api/admin/projects/:projectId/change-requests/pending/:featureName',
  'GET /api/admin/search/change-requests',
] as const;

/** Returns the key of the query for the open change requests of a flag. */
export const pendingOfFlag = ({
  projectId,
  featureName,
}: {
  readonly projectId: string;
  readonly featureName: string;
}) => ['GET /api/admin/projects/:projectId/change-requests/pending/:featureName', projectId, featureName] as const;
