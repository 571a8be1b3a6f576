import { Text } from '@mantine/core';
import { serverNow } from '../lib/server-time.ts';
import { RelativeTime } from './relative-time.tsx';
import { Muted } from './text.tsx';

/** Shows an expiry: "Never", "Expired", or a relative time. */
export function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return <Muted component="span">Never</Muted>;
  if (Date.parse(at) > serverNow()) return <RelativeTime at={at} />;
  return (
    <Text size="sm" c="var(--mantine-color-error)" component="span">
      Expired
    </Text>
  );
}

/** Shows when an account, token or application was last seen. */
export function Seen({ at }: { readonly at: string | null }) {
  if (at !== null) return <RelativeTime at={at} />;
  return <Muted component="span">Never</Muted>;
}
