import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../lib/api.ts';
import type { Change, FlagChange, FlagPlace } from './change.ts';
import { type RequestState, requestQuery, useRequestChange } from './request-queries.ts';
import { useFlagChange } from './use-change.ts';

/** A change of a change request that is edited. */
export interface EditedChange {
  readonly requestId: number;
  readonly id: number;
  readonly state: RequestState;
  readonly payload: unknown;
}

/** Which change is edited, as the address of a page has it. */
export interface EditedSearch {
  readonly changeRequestId?: number;
  readonly changeId?: number;
}

/** The change of a change request that the address names; only one that does one of the actions is edited where it is asked for. */
export function useEditedChange(
  projectId: string,
  { changeRequestId = 0, changeId }: EditedSearch,
  actions: readonly string[],
) {
  const enabled = changeId !== undefined;
  const request = useQuery({ ...requestQuery({ projectId, id: changeRequestId }), enabled });
  const asked = request.data?.features
    .flatMap(({ changes }) => changes)
    .find(({ id, action }) => id === changeId && actions.includes(action));
  const change: EditedChange | undefined =
    request.data === undefined || asked === undefined
      ? undefined
      : { requestId: changeRequestId, id: asked.id, state: request.data.state, payload: asked.payload };
  return { ...request, change, isMissing: enabled && change === undefined };
}

/** What has a change of a change request do something else; all that it may have changed is read anew. */
export function useEditing(projectId: string, edited: Pick<EditedChange, 'requestId' | 'id'> | undefined) {
  return useRequestChange((body: Change) =>
    api('PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId', {
      params: { projectId, changeRequestId: edited?.requestId ?? 0, changeId: edited?.id ?? 0 },
      body,
    }),
  );
}

/** What writes a change of a flag, at once or by asking for it, or what a change request asks for; `leave` goes where it is seen. */
export function useFlagWriting(place: FlagPlace, featureName: string, edited: EditedChange | undefined) {
  const { projectId } = place;
  const navigate = useNavigate();
  const asking = useFlagChange(place);
  const editing = useEditing(projectId, edited);
  const write = async (change: FlagChange, directly: boolean): Promise<unknown> =>
    edited === undefined ? asking.mutateAsync({ change, directly }) : editing.mutateAsync(change);
  const leave = () =>
    edited === undefined
      ? navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName } })
      : navigate({
          to: '/projects/$projectId/change-requests/$id',
          params: { projectId, id: String(edited.requestId) },
        });
  return { write, leave, pending: asking.isPending || editing.isPending };
}
