import { Badge, Group, Text } from '@mantine/core';
import type { Now } from '../../entities/holds/now-queries.ts';
import { formatWithRelative } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Muted } from '../../ui/text.tsx';

type Loop = NonNullable<Now['loop']>;

/**
 * Says how long the last loop probe took from a signal to a stream. Renders nothing while the latest probe has failed.
 */
export function LoopPassed({ loop }: { readonly loop: Now['loop'] }) {
  if (loop === null || loop.stoppedAt !== null) return null;
  if (loop.passedAt === null)
    return <Muted>The loop from a signal to a stream has not been measured since the server started.</Muted>;
  return (
    <Muted component="div">
      The loop from a signal to a stream took {Math.ceil(loop.tookMs ?? 0)} ms, <RelativeTime at={loop.passedAt} />.
      {loop.halted !== null && ` Actions do not run: ${loop.halted}`}
    </Muted>
  );
}

/** Says since when no loop probe has succeeded, and at which step the latest one stopped. */
export function LoopStopped({ loop: { passedAt, stoppedAt } }: { readonly loop: Loop }) {
  return (
    <Group gap="xs">
      <Badge color="red" autoContrast variant="filled">
        Stopped
      </Badge>
      <Text size="sm" component="div">
        The loop from a signal to a stream has not come through since{' '}
        {passedAt === null ? 'the server started' : <RelativeTime at={passedAt} format={formatWithRelative} />}: stopped
        at {stoppedAt}.
      </Text>
    </Group>
  );
}
