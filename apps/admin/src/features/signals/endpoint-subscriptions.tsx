import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Muted, PartTitle } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';

const listRoute = 'GET /api/admin/signal-endpoints/:id/subscriptions';
type Subscription = Answer<typeof listRoute>['subscriptions'][number];

const words = { pending: 'Waits to be confirmed', confirmed: 'Confirmed', ended: 'Ended' } as const;
const colors = { pending: 'orange', confirmed: 'sea', ended: 'gray' } as const;

/** Lists the subscriptions that the sender of an endpoint asks to confirm. */
export function EndpointSubscriptions({ endpoint: { id } }: { readonly endpoint: SignalEndpoint }) {
  const subscriptions = useQuery(apiQuery(listRoute, { params: { id } }));
  useEachNewer('signals', subscriptions.refetch);
  return (
    <Stack mt="xl" gap="sm" component="section" aria-label="Subscriptions">
      <PartTitle>Subscriptions</PartTitle>
      <Loaded query={subscriptions} rows={1}>
        {(data) => (
          <Stack gap="sm">
            {data.subscriptions.length === 0 && (
              <Muted>
                No topic has asked for a confirmation yet. Create a subscription with the URL of this endpoint.
              </Muted>
            )}
            {data.subscriptions.map((subscription) => (
              <Topic key={subscription.id} endpointId={id} subscription={subscription} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

function Topic({
  endpointId,
  subscription: { id, topic, state, changedAt },
}: {
  readonly endpointId: number;
  readonly subscription: Subscription;
}) {
  const [ending, setEnding] = useState(false);
  const params = { id: endpointId, subscriptionId: id };
  const confirm = useChange({
    run: () => api('POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/confirm', { params }),
    changes: [listRoute],
  });
  return (
    <Group justify="space-between" gap="xs">
      <Stack gap={4}>
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {topic}
        </Text>
        <Group gap="xs">
          <Badge color={colors[state]}>{words[state]}</Badge>
          <Hint component="span">
            <RelativeTime at={changedAt} />
          </Hint>
        </Group>
      </Stack>
      {state === 'confirmed' ? (
        <Button size="xs" variant="default" onClick={() => setEnding(true)} aria-label={`End ${topic}`}>
          End
        </Button>
      ) : (
        <Button size="xs" loading={confirm.isPending} onClick={() => confirm.mutate()} aria-label={`Confirm ${topic}`}>
          Confirm
        </Button>
      )}
      {ending && (
        <Confirm
          title="End subscription?"
          action="End subscription"
          run={() => api('POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/end', { params })}
          changes={[listRoute]}
          onClose={() => setEnding(false)}
        >
          Amazon SNS will send no more messages of <b>{topic}</b> to this endpoint.
        </Confirm>
      )}
    </Group>
  );
}
