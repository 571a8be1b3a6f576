import { Anchor, Box, Group, Text } from '@mantine/core';
import { IconHistory, IconLockOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ActionSet, definitionsQuery } from '../../entities/actions/action-queries.ts';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { endpointsQuery } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { ChangeSwitch } from '../../ui/change-switch.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Listing } from '../../ui/listing.tsx';
import { editAction, type RowAction, removeAction } from '../../ui/row-menu.tsx';
import { Hint, SmallBadge } from '../../ui/text.tsx';
import { holdsFlags } from './action-draft.ts';
import { BlockedBadge, BlockedReason } from './blocked.tsx';
import { silenceLabel } from './trigger-choice.tsx';

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
  const enabled = useMay()('ADMIN');
  const { data: endpoints } = useQuery({ ...endpointsQuery, enabled });
  const { data: definitions } = useQuery(definitionsQuery(projectId));
  const sourceOf = ({ match, sourceName }: ActionSet) => (
    <Source
      name={sourceName ?? `Signal endpoint ${match.sourceId} (deleted)`}
      source={endpoints?.find(({ id }) => id === match.sourceId)}
      trigger={match.trigger}
      filters={Object.keys(match.payload).length}
    />
  );
  const accountOf = ({ actorId, actorName }: ActionSet) => actorName ?? `Account ${actorId} (deleted)`;
  return (
    <Listing
      rows={sets}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Name',
          cell: (set) => (
            <>
              <SetName set={set} onOpen={enabled ? actions.onEdit : actions.onRuns} />
              <Box hiddenFrom="sm" mt={4}>
                {sourceOf(set)}
              </Box>
            </>
          ),
        },
        { header: 'Source', visibleFrom: 'sm', cell: sourceOf },
        {
          header: 'Actions',
          visibleFrom: 'sm',
          cell: (set) =>
            set.actions.map(({ id, action, executionParams }) => (
              <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {definitions?.[action]?.label ?? action}: {objectOf(executionParams)}
              </Text>
            )),
        },
        { header: 'Service account', visibleFrom: 'lg', cell: accountOf },
        { header: 'Enabled', cell: (set) => <EnabledSwitch projectId={projectId} set={set} /> },
      ]}
      menu={(set) => ({ of: set.name, actions: menuActions(set, actions) })}
    />
  );
}

function menuActions(set: ActionSet, { onEdit, onRelease, onRuns, onRemove }: RowActions): readonly RowAction[] {
  const release = {
    label: 'New action that releases it',
    icon: <IconLockOpen size={16} />,
    needs: 'ADMIN',
    run: () => onRelease(set),
  };
  return [
    { label: 'View runs', icon: <IconHistory size={16} />, run: () => onRuns(set) },
    editAction(() => onEdit(set), { needs: 'ADMIN' }),
    ...(holdsFlags(set) && set.match.release === null && set.match.trigger === 'signal' ? [release] : []),
    removeAction(() => onRemove(set), { needs: 'ADMIN' }),
  ];
}

interface NameProps {
  readonly set: ActionSet;
  readonly onOpen: (set: ActionSet) => void;
}

function SetName({ set, onOpen }: NameProps) {
  const { name, description, shadow, blocked } = set;
  return (
    <>
      <Group gap="xs">
        <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onOpen(set)}>
          {name}
        </Anchor>
        {blocked !== null && <BlockedBadge />}
        {shadow && <SmallBadge color="gray">Shadow mode</SmallBadge>}
      </Group>
      <Hint lineClamp={2} maw={360}>
        {description}
      </Hint>
      <BlockedReason blocked={blocked} />
    </>
  );
}

interface SourceProps {
  readonly name: string;
  /** Undefined when the endpoint was deleted or the user may not open it. */
  readonly source: SignalEndpoint | undefined;
  readonly trigger: ActionSet['match']['trigger'];
  readonly filters: number;
}

/** Shows the source of the signals, and what triggers the actions: the number of filters, or a silence. */
function Source({ name, source, trigger, filters }: SourceProps) {
  return (
    <>
      {source === undefined ? (
        <Text size="sm">{name}</Text>
      ) : (
        <TextLink to="/integrations/signals" search={{ view: source.id }} size="sm">
          {name}
        </TextLink>
      )}
      <Hint>{trigger === 'silence' ? silenceLabel(source) : filtersLabel(filters)}</Hint>
    </>
  );
}

function filtersLabel(filters: number): string {
  if (filters === 0) return 'Every signal';
  return filters === 1 ? '1 filter' : `${filters} filters`;
}

/** Returns the parameters of an action in words: "new-checkout, production". */
function objectOf(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .filter(([name]) => name !== 'project')
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ');
}

function EnabledSwitch({ projectId, set }: { readonly projectId: string; readonly set: ActionSet }) {
  const params = { projectId, id: set.id };
  return (
    <ChangeSwitch
      label={`${set.name} is enabled`}
      on={set.enabled}
      needs="ADMIN"
      set={(on) =>
        on
          ? api('POST /api/admin/projects/:projectId/actions/:id/on', { params })
          : api('POST /api/admin/projects/:projectId/actions/:id/off', { params })
      }
      changes={['GET /api/admin/projects/:projectId/actions']}
    />
  );
}
