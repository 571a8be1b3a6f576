import { Text } from '@mantine/core';

/** Says how many alerts the sender of a signal left out. Renders nothing when it left out none. */
export function TruncatedAlerts({ count = 0 }: { readonly count?: number | undefined }) {
  if (count === 0) return null;
  return (
    <Text size="xs" c="orange.8" component="span">
      The sender left out {count} {count === 1 ? 'alert' : 'alerts'} of this signal. Raise its limit, such as max_alerts
      of Alertmanager.
    </Text>
  );
}
