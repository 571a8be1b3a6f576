import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { changedByTemplates, type Template } from './template-queries.ts';

interface Props {
  readonly template: Template;
  readonly onClose: () => void;
}

/** Archives a release template after confirmation. */
export function ArchiveTemplate({ template: { id, name }, onClose }: Props) {
  return (
    <Confirm
      title="Archive release template?"
      action="Archive release template"
      run={() => api('POST /api/admin/release-plan-templates/archive/:templateId', { params: { templateId: id } })}
      changes={changedByTemplates}
      onClose={onClose}
    >
      <b>{name}</b> stays readable and can no longer be chosen for a flag, until you revive it. Release plans that were
      made from it are copies: they go on.
    </Confirm>
  );
}

/** Revives an archived release template after confirmation. */
export function ReviveTemplate({ template: { id, name }, onClose }: Props) {
  return (
    <Confirm
      title="Revive release template?"
      action="Revive release template"
      color="sea"
      run={() => api('POST /api/admin/release-plan-templates/revive/:templateId', { params: { templateId: id } })}
      changes={changedByTemplates}
      onClose={onClose}
    >
      <b>{name}</b> can be chosen for a flag again.
    </Confirm>
  );
}

/** Deletes a release template after confirmation. */
export function DeleteTemplate({ template: { id, name }, onClose }: Props) {
  return (
    <Confirm
      title="Delete release template?"
      action="Delete release template"
      run={() => api('DELETE /api/admin/release-plan-templates/:templateId', { params: { templateId: id } })}
      changes={changedByTemplates}
      onClose={onClose}
    >
      <b>{name}</b> will be deleted. Release plans that were made from it are copies: they stay and go on.
    </Confirm>
  );
}
