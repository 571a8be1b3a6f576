import { Alert, Button, Stack, Text } from '@mantine/core';
import { errorMessage } from '../lib/error-messages.ts';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shows a loading error in place of the content, with a button that tries again. */
export function Failure({ error, onRetry }: Props) {
  return (
    <Alert color="red" title="Loading failed" role="alert" m="md">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{errorMessage(error)}</Text>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
