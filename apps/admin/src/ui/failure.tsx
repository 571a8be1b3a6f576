import { Alert, Button, Stack, Text } from '@mantine/core';
import { messageOf } from '../lib/problems.ts';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Says what went wrong where something should be, and offers to try again. */
export function Failure({ error, onRetry }: Props) {
  return (
    <Alert color="red" title="This could not be loaded" role="alert" m="md">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{messageOf(error)}</Text>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
