import { changedByFlags } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => unknown;
}

/** The mutation key of deletions: the page of a flag uses it to see that the flag is being deleted. */
export const deletionKey = ['delete flags'] as const;

/** Deletes archived flags, after the user has typed the name of the flag or the number of flags. */
export function DeleteFlags({ projectId, names, onClose, onDone }: Props) {
  return (
    <Confirm
      title={names.length === 1 ? 'Delete flag?' : `Delete ${names.length} flags?`}
      action="Delete permanently"
      typed={names.length === 1 ? (names[0] ?? '') : `delete ${names.length} flags`}
      run={() =>
        api('POST /api/admin/projects/:projectId/delete', { params: { projectId }, body: { features: [...names] } })
      }
      mutationKey={deletionKey}
      changes={changedByFlags}
      onClose={onClose}
      onDone={onDone}
    >
      This cannot be undone. Events of {names.length === 1 ? 'the flag' : 'the flags'} stay in the event log.
    </Confirm>
  );
}
