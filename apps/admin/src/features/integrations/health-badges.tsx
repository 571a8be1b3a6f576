import { Badge, Group } from '@mantine/core';
import type { Health } from './integration-queries.ts';

/** The number of dead letters in a row from which a receiver counts as one that refuses events. */
const manyDeadLetters = 10;

/** Shows whether an integration is paused or failing, and how many events wait or were given up. */
export function HealthBadges({ health }: { readonly health: Health | undefined }) {
  if (health === undefined) return null;
  const { pausedAt, failingSince, consecutiveDeadLetters, waiting, dead } = health;
  return (
    <Group gap={4}>
      {pausedAt !== null && (
        <Badge variant="filled" color="red.9">
          Paused
        </Badge>
      )}
      {pausedAt === null && failingSince !== null && (
        <Badge variant="filled" color="orange.4" autoContrast>
          Failing
        </Badge>
      )}
      {consecutiveDeadLetters >= manyDeadLetters && (
        <Badge variant="filled" color="red.9">
          Refuses events
        </Badge>
      )}
      {dead > 0 && <Badge color="red">{dead === 1 ? '1 dead letter' : `${dead} dead letters`}</Badge>}
      {waiting > 0 && <Badge color="gray">{waiting} waiting</Badge>}
    </Group>
  );
}
