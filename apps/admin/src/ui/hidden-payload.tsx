import { Text } from '@mantine/core';
import { reasonOf } from '../lib/me.ts';

/** The permission to read the payloads of signals. */
export const payloadPermission = 'READ_SIGNALS';

/** Stands in for what the reader may not see of a signal: its payload, and what is computed from it. */
export function HiddenPayload({ children = 'The payload is hidden.' }: { readonly children?: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children} {reasonOf(payloadPermission)}
    </Text>
  );
}
