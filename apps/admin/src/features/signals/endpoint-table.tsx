import { Anchor, Code, Group, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBroadcast, IconCopy } from '@tabler/icons-react';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { copyText } from '../../lib/copy-text.ts';
import { ChangeSwitch } from '../../ui/change-switch.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatStart } from '../../ui/dates.ts';
import { type Column, Listing } from '../../ui/listing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { editAction, removeAction } from '../../ui/row-menu.tsx';
import { Hint } from '../../ui/text.tsx';
import { expectationText } from './expectation.ts';

interface RowActions {
  readonly onView: (endpoint: SignalEndpoint) => void;
  readonly onEdit: (endpoint: SignalEndpoint) => void;
  readonly onRemove: (endpoint: SignalEndpoint) => void;
}

export function EndpointTable({
  endpoints,
  onView,
  onEdit,
  onRemove,
}: RowActions & { readonly endpoints: readonly SignalEndpoint[] }) {
  return (
    <Listing
      rows={endpoints}
      rowKey={({ id }) => id}
      highlightOnHover
      minWidth={300}
      columns={columnsOf(onEdit)}
      menu={(endpoint) => ({
        of: endpoint.name,
        actions: [
          { label: 'View signals', icon: <IconBroadcast size={16} />, needs: 'ADMIN', run: () => onView(endpoint) },
          editAction(() => onEdit(endpoint), { needs: 'ADMIN' }),
          { label: 'Copy URL', icon: <IconCopy size={16} />, run: () => void copyUrl(endpoint) },
          removeAction(() => onRemove(endpoint), { needs: 'ADMIN' }),
        ],
      })}
    />
  );
}

async function copyUrl({ url }: SignalEndpoint): Promise<void> {
  if (await copyText(url)) notifications.show({ message: 'URL copied' });
  else notifications.show({ color: 'red', title: 'Copying failed', message: url, autoClose: 10_000 });
}

function columnsOf(onEdit: RowActions['onEdit']): readonly Column<SignalEndpoint>[] {
  return [
    { header: 'Name', cell: (endpoint) => <EndpointName endpoint={endpoint} onEdit={onEdit} /> },
    {
      header: 'URL',
      visibleFrom: 'md',
      cell: ({ name, url }) => (
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>
          <CopyButton value={url} label={`Copy URL of ${name}`} />
        </Group>
      ),
    },
    { header: 'Tokens', cell: (endpoint) => <TokenCount endpoint={endpoint} onEdit={onEdit} /> },
    { header: 'Created', visibleFrom: 'lg', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { header: 'Enabled', cell: (endpoint) => <EnabledSwitch endpoint={endpoint} /> },
  ];
}

interface CellProps extends Pick<RowActions, 'onEdit'> {
  readonly endpoint: SignalEndpoint;
}

function EndpointName({ endpoint, onEdit }: CellProps) {
  const { name, description, silentSince } = endpoint;
  const expectation = expectationText(endpoint);
  return (
    <>
      <Anchor component="button" type="button" fw={550} size="sm" ta="left" onClick={() => onEdit(endpoint)}>
        {name}
      </Anchor>
      {silentSince !== null && (
        <Text size="xs" c="orange.8" component="div">
          Silent since <RelativeTime at={silentSince} format={formatStart} />
        </Text>
      )}
      {expectation !== undefined && (
        <Hint maw={360} style={{ overflowWrap: 'anywhere' }}>
          {expectation}
        </Hint>
      )}
      {description !== null && description !== '' && (
        <Hint lineClamp={2} maw={360}>
          {description}
        </Hint>
      )}
    </>
  );
}

function TokenCount({ endpoint, onEdit }: CellProps) {
  const { tokens } = endpoint;
  return (
    <Tooltip label={tokens.map((token) => token.name).join(', ')} disabled={tokens.length === 0}>
      <Anchor component="button" type="button" size="sm" onClick={() => onEdit(endpoint)}>
        {tokens.length === 0 ? 'Create token' : tokens.length === 1 ? '1 token' : `${tokens.length} tokens`}
      </Anchor>
    </Tooltip>
  );
}

function EnabledSwitch({ endpoint }: { readonly endpoint: SignalEndpoint }) {
  const params = { id: endpoint.id };
  return (
    <ChangeSwitch
      label={`${endpoint.name} is enabled`}
      on={endpoint.enabled}
      needs="ADMIN"
      set={(on) =>
        on
          ? api('POST /api/admin/signal-endpoints/:id/on', { params })
          : api('POST /api/admin/signal-endpoints/:id/off', { params })
      }
      changes={['GET /api/admin/signal-endpoints']}
      onDone={({ name, enabled }) => notifications.show({ message: `${name} is ${enabled ? 'enabled' : 'disabled'}` })}
    />
  );
}
