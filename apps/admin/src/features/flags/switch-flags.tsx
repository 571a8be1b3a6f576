import { notifications } from '@mantine/notifications';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { messageOf } from '../../lib/problems.ts';
import { ReviewModal } from '../change-requests/review-modal.tsx';
import { useReviewedChange } from '../change-requests/use-change.ts';

/** Which way flags are to be switched, and where. */
export interface Switching {
  readonly environment: string;
  readonly on: boolean;
}

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly switching: Switching;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks how flags are to be switched together in an environment where changes are reviewed. */
export function SwitchFlags({ projectId, names, switching, onClose, onDone }: Props) {
  const { environment, on } = switching;
  const place = { projectId, environment };
  const may = useMay();
  const { mutate, isPending, error } = useReviewedChange(place, {
    make: () => switchFlags(projectId, names, switching),
    ask: () => names.map((feature) => ({ action: 'updateEnabled', feature, payload: { enabled: on } })),
    onDone: (made) => {
      if (made) tellChanged(names.length);
      onClose();
      onDone();
    },
  });
  return (
    <ReviewModal
      place={place}
      label={on ? 'Switch on' : 'Switch off'}
      permitted={may('UPDATE_FEATURE_ENVIRONMENT', { project: projectId, environment })}
      saving={isPending}
      refusal={error === null ? undefined : messageOf(error)}
      onClose={onClose}
      onSave={(directly) => mutate({ change: undefined, directly })}
    >
      Switching {names.length === 1 ? names[0] : `${names.length} flags`} {on ? 'on' : 'off'}
    </ReviewModal>
  );
}

/** Says what was done to how many flags together. */
export function tellChanged(count: number, what = 'changed'): void {
  notifications.show({ message: `${count === 1 ? '1 flag is' : `${count.toLocaleString()} flags are`} ${what}.` });
}

/** Switches them at once: all, or none when one cannot be. */
export function switchFlags(
  projectId: string,
  names: readonly string[],
  { environment, on }: Switching,
): Promise<unknown> {
  const input = { params: { projectId, environment }, body: { features: [...names] } };
  return on
    ? api('POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on', input)
    : api('POST /api/admin/projects/:projectId/bulk_features/environments/:environment/off', input);
}
