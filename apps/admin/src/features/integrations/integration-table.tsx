import { Switch, Table, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { useReport } from '../../ui/report.ts';
import { deleteAction, editAction, RowMenu } from '../../ui/row-menu.tsx';
import { type Integration, integrationsQuery, type Provider } from './integration-queries.ts';

interface Props {
  readonly integrations: readonly Integration[];
  readonly providers: readonly Provider[];
  readonly onOpen: (kind: 'edit' | 'deliveries' | 'remove', integration: Integration) => void;
}

/** The systems that are told of what happens. */
export function IntegrationTable({ integrations, providers, onOpen }: Props) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Integration</Table.Th>
            <Table.Th visibleFrom="sm">Told of</Table.Th>
            <Table.Th>Enabled</Table.Th>
            <Table.Th w={56} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {integrations.map((integration) => (
            <Row
              key={integration.id}
              integration={integration}
              title={providers.find(({ name }) => name === integration.provider)?.displayName ?? integration.provider}
              onOpen={(kind) => onOpen(kind, integration)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  readonly integration: Integration;
  readonly title: string;
  readonly onOpen: (kind: 'edit' | 'deliveries' | 'remove') => void;
}

function Row({ integration, title, onOpen }: RowProps) {
  const { description, events, projects, environments } = integration;
  const named = description === null || description === '' ? title : description;
  const limits = [...projects, ...environments].filter((one) => one !== '*');
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {named}
        </Text>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{events.length === 1 ? '1 type of event' : `${events.length} types of events`}</Text>
        <Text size="xs" c="dimmed">
          {limits.length === 0 ? 'In all projects and environments' : `In ${limits.join(', ')}`}
        </Text>
      </Table.Td>
      <Table.Td>
        <EnabledSwitch integration={integration} label={`${named} is enabled`} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={named}
          actions={[
            { label: 'View events', icon: <IconHistory size={16} />, needs: 'ADMIN', run: () => onOpen('deliveries') },
            editAction(() => onOpen('edit'), { needs: 'UPDATE_ADDON' }),
            deleteAction(() => onOpen('remove'), { needs: 'DELETE_ADDON' }),
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function EnabledSwitch({ integration, label }: { readonly integration: Integration; readonly label: string }) {
  const queries = useQueryClient();
  const report = useReport();
  const change = useMutation({
    mutationFn: (enabled: boolean) => {
      const { id, ...body } = integration;
      // Secrets come as ***** and go back so, which keeps them.
      return api('PUT /api/admin/addons/:id', { params: { id }, body: { ...body, enabled } });
    },
    onError: report,
    onSettled: () => queries.invalidateQueries(integrationsQuery),
  });
  return (
    <Permitted needs="UPDATE_ADDON">
      <Switch
        checked={change.isPending ? (change.variables ?? integration.enabled) : integration.enabled}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
        aria-label={label}
      />
    </Permitted>
  );
}
