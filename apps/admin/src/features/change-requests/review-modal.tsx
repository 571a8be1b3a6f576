import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Refusal } from '../../ui/form-drawer.tsx';
import { Dialog } from '../../ui/over-page.tsx';
import { ReviewButtons } from './review-buttons.tsx';
import type { ReviewPlace } from './use-change.ts';

interface Props {
  readonly place: ReviewPlace;
  readonly title?: string;
  /** What can be asked for: "Switching new-cart on". */
  readonly children: ReactNode;
  /** What happens without review: "Switch on". */
  readonly label: string;
  /** Whether one may do it without review, apart from the review. */
  readonly permitted?: boolean;
  readonly saving: boolean;
  /** What the server has against it. */
  readonly refusal?: string | undefined;
  readonly onClose: () => void;
  readonly onSave: (directly: boolean) => void;
}

/** Asks before something is done where changes are reviewed, and offers to put it into a change request. */
export function ReviewModal({
  place,
  title = `Changes in ${place.environment ?? 'this project'} are reviewed`,
  children,
  label,
  permitted = true,
  saving,
  refusal,
  onClose,
  onSave,
}: Props) {
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children} can be added to your draft change request{place.environment && ` for ${place.environment}`}.
          Somebody else then approves it before it is made.
        </Text>
        <Refusal>{refusal}</Refusal>
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
