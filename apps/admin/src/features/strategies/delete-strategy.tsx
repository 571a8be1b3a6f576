import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { messageOf } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import type { FlagPlace } from '../change-requests/change.ts';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useFlagChange } from '../change-requests/use-change.ts';

interface Props {
  readonly place: FlagPlace;
  readonly featureName: string;
  readonly strategyId: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** Deletes a strategy once that is confirmed. */
export function DeleteStrategy({ place, featureName, strategyId, title, onClose }: Props) {
  const change = useFlagChange(place);
  return (
    <Dialog onClose={onClose} title="Delete strategy?">
      <Stack>
        <Text size="sm">
          “{title}” of {featureName} in {place.environment} is deleted for good. A flag without any strategy left in use
          is switched off.
        </Text>
        {change.error !== null && (
          <Alert color="red" role="alert">
            {messageOf(change.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReviewButtons
            place={place}
            label="Delete strategy"
            permitted
            saving={change.isPending}
            onSave={(directly) =>
              change.mutate(
                { change: { action: 'deleteStrategy', feature: featureName, payload: { id: strategyId } }, directly },
                { onSuccess: onClose },
              )
            }
          />
        </Group>
      </Stack>
    </Dialog>
  );
}
