import { Anchor, Badge, Box, Group, Switch, Table, Text } from '@mantine/core';
import { IconHistory, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { TextLink } from '../../ui/link.tsx';
import { useReport } from '../../ui/report.ts';
import { editAction, RowMenu } from '../../ui/row-menu.tsx';
import { endpointsQuery, type SignalEndpoint } from '../signals/signal-queries.ts';
import { holdsFlags } from './action-draft.ts';
import { type ActionSet, actionSetsQuery, definitionsQuery, serviceAccountsQuery } from './action-queries.ts';

interface RowActions {
  readonly onEdit: (set: ActionSet) => void;
  readonly onRelease: (set: ActionSet) => void;
  readonly onRuns: (set: ActionSet) => void;
  readonly onRemove: (set: ActionSet) => void;
}

interface Props extends RowActions {
  readonly projectId: string;
  readonly sets: readonly ActionSet[];
}

export function ActionTable({ projectId, sets, ...actions }: Props) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">Source</Table.Th>
            <Table.Th visibleFrom="sm">Actions</Table.Th>
            <Table.Th visibleFrom="lg">Service account</Table.Th>
            <Table.Th>Enabled</Table.Th>
            <Table.Th w={56} aria-label="Menu" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sets.map((set) => (
            <Row key={set.id} projectId={projectId} set={set} {...actions} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps extends RowActions {
  readonly projectId: string;
  readonly set: ActionSet;
}

function Row({ projectId, set, onEdit, onRelease, onRuns, onRemove }: RowProps) {
  const { name, description, shadow, match, actorId, actions } = set;
  const { data: endpoints } = useQuery(endpointsQuery);
  const { data: accounts } = useQuery(serviceAccountsQuery);
  const { data: definitions } = useQuery(definitionsQuery(projectId));
  const source = endpoints?.find(({ id }) => id === match.sourceId);
  const account = accounts?.find(({ id }) => id === actorId);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onEdit(set)}>
            {name}
          </Anchor>
          {shadow && (
            <Badge size="sm" variant="light" color="gray" tt="none">
              Shadow mode
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={2} maw={360}>
          {description}
        </Text>
        <Box hiddenFrom="sm" mt={4}>
          <Source source={source} filters={Object.keys(match.payload).length} />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Source source={source} filters={Object.keys(match.payload).length} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {actions.map(({ id, action, executionParams }) => (
          <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {definitions?.[action]?.label ?? action}: {objectOf(executionParams)}
          </Text>
        ))}
      </Table.Td>
      <Table.Td visibleFrom="lg">{account?.name ?? account?.username ?? 'No service account'}</Table.Td>
      <Table.Td>
        <EnabledSwitch projectId={projectId} set={set} />
      </Table.Td>
      <Table.Td>
        <RowMenu
          of={name}
          actions={[
            { label: 'View events', icon: <IconHistory size={16} />, run: () => onRuns(set) },
            editAction(() => onEdit(set), { needs: 'ADMIN' }),
            ...(holdsFlags(set)
              ? [
                  {
                    label: 'Add what releases it',
                    icon: <IconLockOpen size={16} />,
                    needs: 'ADMIN',
                    run: () => onRelease(set),
                  },
                ]
              : []),
            {
              label: 'Remove',
              icon: <IconTrash size={16} />,
              needs: 'ADMIN',
              danger: true,
              run: () => onRemove(set),
            },
          ]}
        />
      </Table.Td>
    </Table.Tr>
  );
}

interface SourceProps {
  readonly source: SignalEndpoint | undefined;
  readonly filters: number;
}

/** Whose signals set the actions off, and how many filters they have to pass. */
function Source({ source, filters }: SourceProps) {
  return (
    <>
      {source === undefined ? (
        <Text size="sm">No source</Text>
      ) : (
        <TextLink to="/integrations/signals" search={{ view: source.id }} size="sm">
          {source.name}
        </TextLink>
      )}
      <Text size="xs" c="dimmed">
        {filters === 0 ? 'Every signal' : filters === 1 ? '1 filter' : `${filters} filters`}
      </Text>
    </>
  );
}

/** What an action is done to, in words: "new-checkout, production". */
function objectOf(params: Readonly<Record<string, unknown>>): string {
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
