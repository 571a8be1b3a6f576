import { Anchor, Badge, Group, Switch, Table, Text } from '@mantine/core';
import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { TextLink } from '../../ui/link.tsx';
import { useReport } from '../../ui/report.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { endpointsQuery } from '../signals/signal-queries.ts';
import { type ActionSet, actionSetsQuery, definitionsQuery, serviceAccountsQuery } from './action-queries.ts';

interface Props {
  readonly projectId: string;
  readonly sets: readonly ActionSet[];
  readonly onOpen: (kind: 'edit' | 'runs' | 'remove', set: ActionSet) => void;
}

export function ActionTable({ projectId, sets, onOpen }: Props) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Source</Table.Th>
            <Table.Th visibleFrom="sm">Actions</Table.Th>
            <Table.Th visibleFrom="lg">Service account</Table.Th>
            <Table.Th visibleFrom="sm">Enabled</Table.Th>
            <Table.Th w={56} aria-label="Menu" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sets.map((set) => (
            <Row key={set.id} projectId={projectId} set={set} onOpen={(kind) => onOpen(kind, set)} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  readonly projectId: string;
  readonly set: ActionSet;
  readonly onOpen: (kind: 'edit' | 'runs' | 'remove') => void;
}

function Row({ projectId, set, onOpen }: RowProps) {
  const { name, description, shadow, match, actorId, actions } = set;
  const { data: endpoints } = useQuery(endpointsQuery);
  const { data: accounts } = useQuery(serviceAccountsQuery);
  const { data: definitions } = useQuery(definitionsQuery(projectId));
  const source = endpoints?.find(({ id }) => id === match.sourceId);
  const account = accounts?.find(({ id }) => id === actorId);
  const filters = Object.keys(match.payload).length;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onOpen('edit')}>
            {name}
          </Anchor>
          {shadow && (
            <Badge size="sm" variant="light" color="gray" tt="none">
              Records only
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={2} maw={360}>
          {description}
        </Text>
      </Table.Td>
      <Table.Td>
        {source === undefined ? (
          <Text size="sm">No source</Text>
        ) : (
          <TextLink to="/integrations/signals" size="sm">
            {source.name}
          </TextLink>
        )}
        <Text size="xs" c="dimmed">
          {filters === 0 ? 'Every signal' : filters === 1 ? '1 filter' : `${filters} filters`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {actions.map(({ id, action, executionParams }) => (
          <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {definitions?.[action]?.label ?? action}: {objectOf(executionParams)}
          </Text>
        ))}
      </Table.Td>
      <Table.Td visibleFrom="lg">{account?.name ?? account?.username ?? 'No service account'}</Table.Td>
      <Table.Td visibleFrom="sm">
        <EnabledSwitch projectId={projectId} set={set} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            { label: 'View events', icon: <IconHistory size={16} />, run: () => onOpen('runs') },
            { label: 'Edit', icon: <IconPencil size={16} />, needs: 'ADMIN', run: () => onOpen('edit') },
            {
              label: 'Remove',
              icon: <IconTrash size={16} />,
              needs: 'ADMIN',
              danger: true,
              run: () => onOpen('remove'),
            },
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

/** What an action is done to, in words: "new-checkout, production". */
export function objectOf(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .filter(([name]) => name !== 'project')
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ');
}

function EnabledSwitch({
  projectId,
  set: { id, name, enabled },
}: {
  readonly projectId: string;
  readonly set: ActionSet;
}) {
  const queries = useQueryClient();
  const report = useReport();
  const change = useMutation({
    mutationFn: (on: boolean) => {
      const params = { projectId, id };
      return on
        ? api('POST /api/admin/projects/:projectId/actions/:id/on', { params })
        : api('POST /api/admin/projects/:projectId/actions/:id/off', { params });
    },
    onError: report,
    onSettled: () => queries.invalidateQueries(actionSetsQuery(projectId)),
  });
  return (
    <Switch
      checked={change.isPending ? (change.variables ?? enabled) : enabled}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      aria-label={`${name} is enabled`}
    />
  );
}
