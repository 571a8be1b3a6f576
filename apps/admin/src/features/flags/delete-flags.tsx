import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { changedByFlags } from './flag-queries.ts';

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => unknown;
}

/** Deletes archived flags for good, once their name, or how many they are, has been typed. */
export function DeleteFlags({ projectId, names, onClose, onDone }: Props) {
  return (
    <Confirm
      title={names.length === 1 ? 'Delete flag?' : `Delete ${names.length} flags?`}
      action="Delete for good"
      typed={names.length === 1 ? (names[0] ?? '') : `delete ${names.length} flags`}
      run={() =>
        api('POST /api/admin/projects/:projectId/delete', { params: { projectId }, body: { features: [...names] } })
      }
      changes={changedByFlags}
      onClose={onClose}
      onDone={onDone}
    >
      This cannot be undone. What the event log tells of {names.length === 1 ? 'it' : 'them'} stays.
    </Confirm>
  );
}
