import { Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { ChangeSwitch } from '../../ui/change-switch.tsx';
import { Listing } from '../../ui/listing.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { Hint } from '../../ui/text.tsx';
import { HealthBadges } from './health-badges.tsx';
import { healthQuery, type Integration, type Provider } from './integration-queries.ts';

interface Props {
  readonly integrations: readonly Integration[];
  readonly providers: readonly Provider[];
  readonly onOpen: (kind: 'edit' | 'deliveries' | 'remove', integration: Integration) => void;
}

/** Lists the configured integrations. */
export function IntegrationTable({ integrations, providers, onOpen }: Props) {
  const titleOf = ({ provider }: Integration) =>
    providers.find(({ name }) => name === provider)?.displayName ?? provider;
  const nameOf = (integration: Integration) => integration.description || titleOf(integration);
  const health = useQuery(healthQuery);
  useEachNewer('deliveries', health.refetch);
  const healthOf = ({ id }: Integration) =>
    health.data?.integrations.find((integration) => integration.integrationId === id);
  return (
    <Listing
      rows={integrations}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Integration',
          cell: (integration) => (
            <Stack gap={4}>
              <NameCell name={nameOf(integration)}>{titleOf(integration)}</NameCell>
              <HealthBadges health={healthOf(integration)} />
            </Stack>
          ),
        },
        { header: 'Events', visibleFrom: 'sm', cell: (integration) => <EventScope integration={integration} /> },
        {
          header: 'Enabled',
          cell: (integration) => (
            <EnabledSwitch integration={integration} label={`${nameOf(integration)} is enabled`} />
          ),
        },
      ]}
      menu={(integration) => ({
        of: nameOf(integration),
        actions: [
          {
            label: 'View deliveries',
            icon: <IconHistory size={16} />,
            needs: 'ADMIN',
            run: () => onOpen('deliveries', integration),
          },
          editAction(() => onOpen('edit', integration), { needs: 'UPDATE_ADDON' }),
          deleteAction(() => onOpen('remove', integration), { needs: 'DELETE_ADDON' }),
        ],
      })}
    />
  );
}

function EventScope({ integration: { events, projects, environments } }: { readonly integration: Integration }) {
  const limits = [...projects, ...environments].filter((name) => name !== '*');
  return (
    <>
      <Text size="sm">{events.length === 1 ? '1 event type' : `${events.length} event types`}</Text>
      <Hint>{limits.length === 0 ? 'In all projects and environments' : `In ${limits.join(', ')}`}</Hint>
    </>
  );
}

function EnabledSwitch({ integration, label }: { readonly integration: Integration; readonly label: string }) {
  const set = async (enabled: boolean) => {
    // Loaded again, because another user may have changed the integration since the list was loaded.
    const { id, ...body } = await api('GET /api/admin/addons/:id', { params: { id: integration.id } });
    // The server sends ***** in place of secrets, and keeps the secret when it gets ***** back.
    return api('PUT /api/admin/addons/:id', { params: { id }, body: { ...body, enabled } });
  };
  return (
    <ChangeSwitch
      label={label}
      on={integration.enabled}
      needs="UPDATE_ADDON"
      set={set}
      changes={['GET /api/admin/addons']}
    />
  );
}
