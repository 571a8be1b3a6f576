import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { counted } from '../../ui/counted.ts';
import { formatStart } from '../../ui/dates.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useChange } from '../../ui/use-change.ts';
import { HealthBadges } from './health-badges.tsx';
import { deliveryRoutes, type Health, healthQuery } from './integration-queries.ts';

/** Shows the health of an integration, with buttons to test, resume and redeliver, and to rotate its signing key. */
export function DeliveryActions({ integrationId }: { readonly integrationId: number }) {
  const { data } = useQuery(healthQuery);
  const health = data?.integrations.find((integration) => integration.integrationId === integrationId);
  const isUnsigned = health?.signing === null;
  const [made, setMade] = useState<{ readonly secret: string; readonly isFirst: boolean }>();
  const params = { id: integrationId };
  const test = useAction(
    () => api('POST /api/admin/integrations/:id/test', { params }),
    ({ delivered, details }) =>
      notifications.show({ color: delivered ? 'sea' : 'red', title: 'Test sent', message: details }),
  );
  const resume = useAction(() => api('POST /api/admin/integrations/:id/resume', { params }));
  const redeliver = useAction(
    () => api('POST /api/admin/integrations/:id/redeliver', { params, body: { state: 'dead' } }),
    ({ redelivered }) =>
      notifications.show({ message: `${counted(redelivered, 'delivery is', 'deliveries are')} sent again` }),
  );
  const [asksToRotate, setAsksToRotate] = useState(false);
  const makeKey = async () => {
    const signing = health?.signing?.algorithm ?? 'hmac-sha256';
    const { signingSecret } = await api('POST /api/admin/integrations/:id/rotate-key', { params, body: { signing } });
    setMade({ secret: signingSecret, isFirst: isUnsigned });
  };
  const create = useAction(makeKey);
  return (
    <Stack gap="sm">
      <HealthBadges health={health} />
      {health !== undefined && health.failingSince !== null && <FailureNote health={health} />}
      {isUnsigned && (
        <Alert color="yellow" title="Not signed">
          This integration was created before events were signed. Create a signing key, so that the receiver can verify
          that events come from here.
        </Alert>
      )}
      <Permitted needs="UPDATE_ADDON">
        <Group gap="xs">
          <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Send test
          </Button>
          {health !== undefined && health.pausedAt !== null && (
            <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate()}>
              Resume
            </Button>
          )}
          {health !== undefined && health.dead > 0 && (
            <Button size="xs" variant="default" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
              Redeliver all dead letters
            </Button>
          )}
          {isUnsigned ? (
            <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate()}>
              Create signing key
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={() => setAsksToRotate(true)}>
              Rotate signing key
            </Button>
          )}
        </Group>
      </Permitted>
      {asksToRotate && (
        <Confirm
          title="Rotate the signing key?"
          action="Rotate key"
          color="sea"
          run={makeKey}
          changes={deliveryRoutes}
          onClose={() => setAsksToRotate(false)}
        >
          Events are signed with the new key and with the present one for 24 hours. Give the receiver the new key within
          that time: it is shown once.
        </Confirm>
      )}
      <SecretOnce
        title="Signing key"
        secret={made === undefined ? undefined : { kind: 'signing key', value: made.secret }}
        onClose={() => setMade(undefined)}
      >
        {made?.isFirst
          ? 'The receiver verifies the header webhook-signature with it, as Standard Webhooks describes.'
          : 'The previous key signs besides for 24 hours.'}
      </SecretOnce>
    </Stack>
  );
}

function FailureNote({
  health: { failingSince, pausedAt, consecutiveFailures, lastError },
}: {
  readonly health: Health;
}) {
  return (
    <Alert color={pausedAt === null ? 'yellow' : 'red'} title={pausedAt === null ? 'Failing' : 'Paused'}>
      <Text size="sm">
        {consecutiveFailures} failed attempts since <RelativeTime at={failingSince ?? ''} format={formatStart} />.{' '}
        {lastError} {pausedAt !== null && 'Only the oldest event is tried. Sending resumes when the receiver answers.'}
      </Text>
    </Alert>
  );
}

/** Returns the mutation of a button, which sends a request and then reloads the deliveries. */
function useAction<T>(run: () => Promise<T>, onSuccess?: (answer: T) => void) {
  return useChange({ run, changes: deliveryRoutes, onDone: (answer: T) => onSuccess?.(answer) });
}
