import { Accordion, Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { SidePanel } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Payload } from '../../ui/payload.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { Integration } from './integration-queries.ts';

const words = { success: 'Delivered', failed: 'Failed', successWithErrors: 'Delivered with errors' } as const;

/** Lists the deliveries of an integration, newest first. */
export function Deliveries({
  integration: { id },
  onClose,
}: {
  readonly integration: Integration;
  readonly onClose: () => void;
}) {
  const deliveries = useQuery({
    queryKey: ['GET /api/admin/addons/:id/events', id],
    queryFn: () => api('GET /api/admin/addons/:id/events', { params: { id } }),
    refetchInterval: 5_000,
  });
  return (
    <SidePanel onClose={onClose} size={760} title="Deliveries">
      <Loaded query={deliveries}>
        {({ integrationEvents }) =>
          integrationEvents.length === 0 ? (
            <EmptyState title="No deliveries yet">Deliveries appear here as events are sent.</EmptyState>
          ) : (
            <Accordion variant="separated" chevronPosition="left">
              {integrationEvents.map(({ id: key, state, stateDetails, event, createdAt, details }) => (
                <Accordion.Item key={key} value={key}>
                  <Accordion.Control>
                    <Group justify="space-between" gap="xs">
                      <Group gap="xs">
                        <Badge
                          variant={state === 'success' ? 'light' : 'filled'}
                          color={state === 'success' ? 'sea' : 'red.9'}
                          tt="none"
                        >
                          {words[state]}
                        </Badge>
                        <Text size="sm">{event.type}</Text>
                        <Text size="sm" c="dimmed" component="span" style={{ overflowWrap: 'anywhere' }}>
                          {[event.featureName, event.environment].filter(Boolean).join(' in ')}
                        </Text>
                      </Group>
                      <Text size="sm" c="dimmed" component="span">
                        <RelativeTime at={createdAt} />
                      </Text>
                    </Group>
                  </Accordion.Control>
                  <Accordion.Panel>
                    <Stack gap="sm">
                      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                        {stateDetails}
                      </Text>
                      <Payload title="Request" value={details} />
                    </Stack>
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
          )
        }
      </Loaded>
    </SidePanel>
  );
}
