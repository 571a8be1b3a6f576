import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../lib/api.ts';
import type { Change, FlagChange, FlagPlace } from './change.ts';
import { type RequestState, requestQuery, useRequestChange } from './request-queries.ts';
import { useFlagChange } from './use-reviewed-change.ts';

/** A change of a change request that is being edited. */
export interface EditedChange {
  readonly requestId: number;
  readonly id: number;
  readonly state: RequestState;
  readonly payload: unknown;
}

/** The edited change, as stored in the address of a page. */
export interface EditedChangeSearch {
  readonly changeRequestId?: number;
  readonly changeId?: number;
}

/** Loads the requested change that the address names, if its action is one of `actions`. */
export function useEditedChange(
  projectId: string,
  { changeRequestId = 0, changeId }: EditedChangeSearch,
  actions: readonly string[],
) {
  const enabled = changeId !== undefined;
  const request = useQuery({ ...requestQuery({ projectId, id: changeRequestId }), enabled });
  const requested = request.data?.features
    .flatMap(({ changes }) => changes)
    .find(({ id, action }) => id === changeId && actions.includes(action));
  const change: EditedChange | undefined =
    request.data === undefined || requested === undefined
      ? undefined
      : { requestId: changeRequestId, id: requested.id, state: request.data.state, payload: requested.payload };
  return { ...request, change, isMissing: enabled && change === undefined };
}

/** Updates a change of a change request. Invalidates all cached answers that the update may affect. */
export function useEditing(projectId: string, edited: Pick<EditedChange, 'requestId' | 'id'> | undefined) {
  return useRequestChange((body: Change) =>
    api('PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId', {
      params: { projectId, changeRequestId: edited?.requestId ?? 0, changeId: edited?.id ?? 0 },
      body,
    }),
  );
}

/**
 * Saves a flag change: directly, as a change request, or into an edited change request. `leave` navigates to the
 * result.
 */
export function useFlagWriting(place: FlagPlace, featureName: string, edited: EditedChange | undefined) {
  const { projectId } = place;
  const navigate = useNavigate();
  const asking = useFlagChange(place);
  const editing = useEditing(projectId, edited);
  // Pending while the change is awaited, so that a second click cannot write it again.
  const writing = useMutation({
    mutationFn: async (asked: { readonly change: FlagChange | Promise<FlagChange>; readonly directly: boolean }) => {
      const change = await asked.change;
      const { directly } = asked;
      await (edited === undefined ? asking.mutateAsync({ change, directly }) : editing.mutateAsync(change));
    },
  });
  const write = (change: FlagChange | Promise<FlagChange>, directly: boolean) =>
    writing.mutateAsync({ change, directly });
  const leave = () =>
    edited === undefined
      ? navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName } })
      : navigate({
          to: '/projects/$projectId/change-requests/$id',
          params: { projectId, id: String(edited.requestId) },
        });
  const reasonField = edited === undefined ? asking.reasonField : undefined;
  return { write, leave, reasonField, pending: writing.isPending };
}
