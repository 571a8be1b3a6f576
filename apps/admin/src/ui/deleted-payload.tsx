import { Stack, Text } from '@mantine/core';
import { formatDate } from './dates.ts';
import { RelativeTime } from './relative-time.tsx';

interface Props {
  readonly digest: { readonly sha256: string; readonly bytes: number; readonly deletedAt: string };
}

/** Shows the digest of a payload that retention has deleted, so that a copy can still be compared. */
export function DeletedPayload({ digest: { sha256, bytes, deletedAt } }: Props) {
  return (
    <Stack gap={2}>
      <Text size="sm">
        The payload ({bytes} bytes) was deleted on {formatDate(deletedAt)} (<RelativeTime at={deletedAt} />
        ). Its SHA-256 digest is:
      </Text>
      <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {sha256}
      </Text>
    </Stack>
  );
}
