import { requestRoutes } from '../../entities/change-requests/request-queries.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';

interface Props {
  readonly request: { readonly id: number; readonly project: string };
  readonly onClose: () => void;
  readonly onDone?: () => unknown;
}

/** Discards a draft after confirmation: all its changes are lost, of every flag. */
export function DiscardDraft({ request: { id, project: projectId }, ...confirm }: Props) {
  return (
    <Confirm
      title="Discard the draft?"
      action="Discard draft"
      run={() => api('DELETE /api/admin/projects/:projectId/change-requests/:id', { params: { projectId, id } })}
      changes={requestRoutes}
      {...confirm}
    >
      Its changes will be lost.
    </Confirm>
  );
}
