import { notifications } from '@mantine/notifications';
import { ReviewModal } from '../../entities/change-requests/review-modal.tsx';
import { useReviewedChange } from '../../entities/change-requests/use-reviewed-change.ts';
import { api } from '../../lib/api.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { useMay } from '../../lib/me.ts';

/** The environment and state to switch flags to. */
export interface Switching {
  readonly environment: string;
  readonly on: boolean;
}

interface Props {
  readonly projectId: string;
  readonly names: readonly string[];
  readonly switching: Switching;
  readonly reason: string | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks how to switch several flags where review is required. */
export function SwitchFlags({ projectId, names, switching, reason, onClose, onDone }: Props) {
  const { environment, on } = switching;
  const place = { projectId, environment };
  const may = useMay();
  const { mutate, isPending, error } = useReviewedChange(place, {
    make: () => switchFlags(projectId, names, switching, reason),
    ask: () => names.map((feature) => ({ action: 'updateEnabled', feature, payload: { enabled: on } })),
    onDone: (made) => {
      if (made) notifyFlagsChanged(names.length);
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
      formError={error === null ? undefined : errorMessage(error)}
      onClose={onClose}
      onSave={(directly) => mutate({ change: undefined, directly })}
    >
      Switching {names.length === 1 ? names[0] : `${names.length} flags`} {on ? 'on' : 'off'}
    </ReviewModal>
  );
}

/** Notifies the user of a bulk change. */
export function notifyFlagsChanged(count: number, change = 'changed'): void {
  notifications.show({ message: `${count === 1 ? '1 flag is' : `${count.toLocaleString()} flags are`} ${change}.` });
}

/** Switches flags: all, or none if one cannot be switched. */
export function switchFlags(
  projectId: string,
  names: readonly string[],
  { environment, on }: Switching,
  reason: string | undefined,
): Promise<unknown> {
  const input = { params: { projectId, environment }, body: { features: [...names] }, reason };
  return on
    ? api('POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on', input)
    : api('POST /api/admin/projects/:projectId/bulk_features/environments/:environment/off', input);
}
