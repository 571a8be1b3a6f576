import { Text } from '@mantine/core';
import { RelativeTime } from './relative-time.tsx';

/** When something expires, or that it has. */
export function Expiry({ at }: { readonly at: string | null }) {
  if (at === null)
    return (
      <Text size="sm" c="dimmed" component="span">
        Never
      </Text>
    );
  if (Date.parse(at) > Date.now()) return <RelativeTime at={at} />;
  return (
    <Text size="sm" c="var(--mantine-color-error)" component="span">
      Expired
    </Text>
  );
}

/** When somebody or something was last seen. */
export function Seen({ at }: { readonly at: string | null }) {
  if (at !== null) return <RelativeTime at={at} />;
  return (
    <Text size="sm" c="dimmed" component="span">
      Never
    </Text>
  );
}
