import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { ReviewButtons } from './review-buttons.tsx';
import type { ReviewPlace } from './use-reviewed-change.ts';

interface Props {
  readonly place: ReviewPlace;
  readonly title?: string;
  /** The change, as the subject of the sentence in the dialog: "Switching new-cart on". */
  readonly children: ReactNode;
  /** The label of the button that makes the change without review: "Switch on". */
  readonly label: string;
  /** Whether the user has the permission for the change itself. */
  readonly permitted?: boolean;
  readonly saving: boolean;
  /** The error of the server. */
  readonly formError?: string | undefined;
  readonly onClose: () => void;
  readonly onSave: (directly: boolean) => void;
}

/** Offers to add a change to a draft change request, where review is required. */
export function ReviewModal({
  place,
  title = `Changes in ${place.environment ?? 'this project'} need review`,
  children,
  label,
  permitted = true,
  saving,
  formError,
  onClose,
  onSave,
}: Props) {
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children} can be added to your draft change request{place.environment && ` for ${place.environment}`}.
          Another person approves it before it is applied.
        </Text>
        <FormError>{formError}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReviewButtons place={place} label={label} permitted={permitted} saving={saving} onSave={onSave} />
        </Group>
      </Stack>
    </Dialog>
  );
}
