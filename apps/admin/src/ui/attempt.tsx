import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { RelativeTime } from './relative-time.tsx';
import { Hint } from './text.tsx';

interface Props {
  readonly attempt: {
    readonly attemptedAt: string;
    readonly durationMs: number;
    readonly request: string;
    readonly status: number | null;
    readonly answer?: string | null;
    readonly error: string | null;
  };
}

/** Shows one attempt to send a message: the request, its answer, and when it was made. */
export function Attempt({ attempt: { attemptedAt, durationMs, request, status, answer, error } }: Props) {
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge color={error === null ? 'sea' : 'red'}>{status ?? 'No answer'}</Badge>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {request}
        </Text>
        <Hint component="span">
          <RelativeTime at={attemptedAt} />, {durationMs} ms
        </Hint>
      </Group>
      {error !== null && status === null && <Text size="sm">{error}</Text>}
      {(answer ?? '') !== '' && (
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {answer}
        </Code>
      )}
    </Stack>
  );
}
