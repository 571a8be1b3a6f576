import { ActionIcon, Anchor, Code, Group, Menu, Switch, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBroadcast, IconCopy, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useReport } from '../../ui/report.ts';
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
    <Table.ScrollContainer minWidth={640}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>URL</Table.Th>
            <Table.Th>Tokens</Table.Th>
            <Table.Th visibleFrom="md">Created</Table.Th>
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

function Row({ endpoint, ...actions }: RowActions & { readonly endpoint: SignalEndpoint }) {
  const { name, description, url, tokens, createdAt } = endpoint;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component="button" type="button" fw={550} size="sm" onClick={() => actions.onView(endpoint)}>
          {name}
        </Anchor>
        {description !== null && description !== '' && (
          <Text size="xs" c="dimmed" lineClamp={2} maw={360}>
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>
          <CopyButton value={url} label={`Copy URL of ${name}`} />
        </Group>
      </Table.Td>
      <Table.Td>
        <Anchor component="button" type="button" size="sm" onClick={() => actions.onEdit(endpoint)}>
          {tokens.length === 1 ? '1 token' : `${tokens.length} tokens`}
        </Anchor>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <EnabledSwitch endpoint={endpoint} />
      </Table.Td>
      <Table.Td>
        <RowMenu endpoint={endpoint} {...actions} />
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

function RowMenu({ endpoint, onView, onEdit, onRemove }: RowActions & { readonly endpoint: SignalEndpoint }) {
  const copy = async () => {
    await navigator.clipboard.writeText(endpoint.url);
    notifications.show({ message: 'URL copied' });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${endpoint.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconBroadcast size={16} />} onClick={() => onView(endpoint)}>
          View signals
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onEdit(endpoint)}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy()}>
          Copy URL
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onRemove(endpoint)}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
