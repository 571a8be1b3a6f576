import { Anchor, Code, Group, Switch, Table, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBroadcast, IconCopy, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useReport } from '../../ui/report.ts';
import { editAction, RowMenu } from '../../ui/row-menu.tsx';
import { endpointsQuery, type SignalEndpoint } from './signal-queries.ts';

interface RowActions {
  readonly onView: (endpoint: SignalEndpoint) => void;
  readonly onEdit: (endpoint: SignalEndpoint) => void;
  readonly onRemove: (endpoint: SignalEndpoint) => void;
}

export function EndpointTable({
  endpoints,
  ...actions
}: RowActions & { readonly endpoints: readonly SignalEndpoint[] }) {
  return (
    <Table.ScrollContainer minWidth={300}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="md">URL</Table.Th>
            <Table.Th>Tokens</Table.Th>
            <Table.Th visibleFrom="lg">Created</Table.Th>
            <Table.Th>Enabled</Table.Th>
            <Table.Th w={56} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {endpoints.map((endpoint) => (
            <Row key={endpoint.id} endpoint={endpoint} {...actions} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ endpoint, onView, onEdit, onRemove }: RowActions & { readonly endpoint: SignalEndpoint }) {
  const { name, description, url, tokens, createdAt } = endpoint;
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    notifications.show({ message: 'URL copied' });
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component="button" type="button" fw={550} size="sm" ta="left" onClick={() => onEdit(endpoint)}>
          {name}
        </Anchor>
        {description !== null && description !== '' && (
          <Text size="xs" c="dimmed" lineClamp={2} maw={360}>
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>
          <CopyButton value={url} label={`Copy URL of ${name}`} />
        </Group>
      </Table.Td>
      <Table.Td>
        <Tooltip label={tokens.map((token) => token.name).join(', ')} disabled={tokens.length === 0}>
          <Anchor component="button" type="button" size="sm" onClick={() => onEdit(endpoint)}>
            {tokens.length === 0 ? 'Create token' : tokens.length === 1 ? '1 token' : `${tokens.length} tokens`}
          </Anchor>
        </Tooltip>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <EnabledSwitch endpoint={endpoint} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            {
              label: 'View signals',
              icon: <IconBroadcast size={16} />,
              needs: 'ADMIN',
              run: () => onView(endpoint),
            },
            editAction(() => onEdit(endpoint), { needs: 'ADMIN' }),
            { label: 'Copy URL', icon: <IconCopy size={16} />, run: () => void copy() },
            {
              label: 'Remove',
              icon: <IconTrash size={16} />,
              needs: 'ADMIN',
              danger: true,
              run: () => onRemove(endpoint),
            },
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function EnabledSwitch({ endpoint }: { readonly endpoint: SignalEndpoint }) {
  const queries = useQueryClient();
  const report = useReport();
  const change = useMutation({
    mutationFn: (on: boolean) => {
      const params = { id: endpoint.id };
      return on
        ? api('POST /api/admin/signal-endpoints/:id/on', { params })
        : api('POST /api/admin/signal-endpoints/:id/off', { params });
    },
    onSuccess: ({ name, enabled }) => notifications.show({ message: `${name} is ${enabled ? 'enabled' : 'disabled'}` }),
    onError: report,
    onSettled: () => queries.invalidateQueries(endpointsQuery),
  });
  return (
    <Permitted needs="ADMIN">
      <Switch
        checked={change.isPending ? (change.variables ?? endpoint.enabled) : endpoint.enabled}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
        aria-label={`${endpoint.name} takes signals`}
      />
    </Permitted>
  );
}
