import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { Attempt } from '../../ui/attempt.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Muted } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';
import { deliveryRoutes } from './integration-queries.ts';

type Delivery = Answer<'GET /api/admin/integrations/:id/deliveries'>['deliveries'][number];

const words = { waiting: 'Waiting', delivered: 'Delivered', dead: 'Dead letter' } as const;
const colors = { waiting: 'gray', delivered: 'sea', dead: 'red' } as const;

interface Props {
  readonly integrationId: number;
  readonly deliveries: readonly Delivery[];
}

/** Lists deliveries; an opened delivery shows its attempts. */
export function DeliveryList({ integrationId, deliveries }: Props) {
  return (
    <Accordion variant="separated" chevronPosition="left">
      {deliveries.map((delivery) => (
        <Accordion.Item key={delivery.id} value={String(delivery.id)}>
          <Accordion.Control>
            <Group justify="space-between" gap="xs">
              <Group gap="xs">
                <Badge color={colors[delivery.state]}>{words[delivery.state]}</Badge>
                <Text size="sm">{delivery.event?.type ?? 'deleted event'}</Text>
                <Muted component="span" style={{ overflowWrap: 'anywhere' }}>
                  {[delivery.event?.featureName, delivery.event?.environment].filter(Boolean).join(' in ')}
                </Muted>
              </Group>
              <Muted component="span">
                <RelativeTime at={delivery.createdAt} />
              </Muted>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <DeliveryDetails integrationId={integrationId} delivery={delivery} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function DeliveryDetails({ integrationId, delivery }: { readonly integrationId: number; readonly delivery: Delivery }) {
  const params = { id: integrationId, deliveryId: delivery.id };
  const details = useQuery({
    queryKey: ['GET /api/admin/integrations/:id/deliveries/:deliveryId', integrationId, delivery.id, delivery.attempts],
    queryFn: () => api('GET /api/admin/integrations/:id/deliveries/:deliveryId', { params }),
  });
  const redeliver = useChange({
    run: () => api('POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver', { params }),
    changes: deliveryRoutes,
  });
  return (
    <Stack gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {delivery.details ?? 'Not sent yet.'}{' '}
        {delivery.nextAttemptAt !== null && (
          <>
            Next attempt <RelativeTime at={delivery.nextAttemptAt} ahead />.
          </>
        )}
      </Text>
      <Hint style={{ overflowWrap: 'anywhere' }}>webhook-id: {delivery.messageId}</Hint>
      <Loaded query={details} rows={1}>
        {({ log }) => (
          <Stack gap="xs">
            {log.map((attempt) => (
              <Attempt key={attempt.attemptedAt} attempt={attempt} />
            ))}
          </Stack>
        )}
      </Loaded>
      {delivery.state !== 'waiting' && (
        <Group>
          <Permitted needs="UPDATE_ADDON">
            <Button size="xs" variant="default" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
              Redeliver
            </Button>
          </Permitted>
        </Group>
      )}
    </Stack>
  );
}
