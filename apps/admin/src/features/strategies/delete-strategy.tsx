import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ReasonField } from '../../entities/change-reasons/reason-field.tsx';
import type { FlagPlace } from '../../entities/change-requests/change.ts';
import { ReviewButtons } from '../../entities/change-requests/review-buttons.tsx';
import { useFlagChange } from '../../entities/change-requests/use-reviewed-change.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface Props {
  readonly place: FlagPlace;
  readonly featureName: string;
  readonly strategyId: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** Deletes a strategy after confirmation. */
export function DeleteStrategy({ place, featureName, strategyId, title, onClose }: Props) {
  const change = useFlagChange(place);
  return (
    <Dialog onClose={onClose} title="Delete strategy?">
      <Stack>
        <Text size="sm">
          “{title}” of {featureName} in {place.environment} will be deleted. If no enabled strategy is left, the flag is
          switched off.
        </Text>
        {change.reasonField !== undefined && <ReasonField {...change.reasonField} />}
        {change.error !== null && (
          <Alert color="red" role="alert">
            {errorMessage(change.error)}
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
