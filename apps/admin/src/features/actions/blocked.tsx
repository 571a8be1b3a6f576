import { Alert, Stack, Text } from '@mantine/core';
import type { ActionSet } from '../../entities/actions/action-queries.ts';
import { useMay } from '../../lib/me.ts';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SmallBadge } from '../../ui/text.tsx';

type Blocked = NonNullable<ActionSet['blocked']>;

/** Marks an action set that cannot run. */
export function BlockedBadge() {
  return (
    <SmallBadge color="red.9" variant="filled" miw="max-content">
      Cannot run
    </SmallBadge>
  );
}

/** Says in a list why an action set cannot run. Renders nothing for a set that can run. */
export function BlockedReason({ blocked }: { readonly blocked: Pick<Blocked, 'reason'> | null }) {
  if (blocked === null) return null;
  return (
    <Text size="xs" maw={480} style={{ overflowWrap: 'anywhere' }}>
      {blocked.reason}
    </Text>
  );
}

/**
 * Says why and since when an action set cannot run, and where to change that. Renders nothing for a set that can run.
 */
export function BlockedAlert({ blocked }: { readonly blocked: Blocked | null }) {
  const may = useMay();
  if (blocked === null) return null;
  return (
    <Alert color="red" variant="light" title="This action cannot run">
      <Stack gap="xs">
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {blocked.reason} First seen <RelativeTime at={blocked.blockedSince} />.
        </Text>
        {may('ADMIN') && (
          <TextLink to="/admin/service-accounts" size="sm" underline="always">
            Open service accounts
          </TextLink>
        )}
      </Stack>
    </Alert>
  );
}
