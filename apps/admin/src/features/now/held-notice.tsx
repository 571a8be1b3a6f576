import { Alert, Group, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMatchRoute } from '@tanstack/react-router';
import { effectOf } from '../../entities/holds/hold-words.ts';
import { newestHoldsQuery } from '../../entities/holds/now-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { counted } from '../../ui/counted.ts';
import { TextLink } from '../../ui/link.tsx';

const page = '/personal';
const maxNamed = 3;

/** Shows on every page but Now that flags are held, with a link to the page that releases them. */
export function HeldNotice() {
  const { data, refetch } = useQuery(newestHoldsQuery);
  useEachNewer('events', refetch);
  const isOnPage = useMatchRoute()({ to: page }) !== false;
  if (data === undefined || data.total === 0 || isOnPage) return null;
  const named = data.leases.filter(({ inForce }) => inForce).slice(0, maxNamed);
  const flags = named.map((hold) => `${hold.featureName} is held ${effectOf(hold)} in ${hold.environment}`).join(', ');
  return (
    <Alert color="orange" variant="light" icon={<IconLock aria-hidden />} p="xs" aria-label="Held flags">
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {counted(data.total, 'hold')}
          {/* The newest holds may all be behind an older one that is in force. */}
          {named.length > 0 && `: ${flags}${data.total > named.length ? ', …' : ''}`}
        </Text>
        <TextLink to={page} size="sm" underline="always">
          View and release
        </TextLink>
      </Group>
    </Alert>
  );
}
