import { Badge, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { counted } from '../../ui/counted.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { deleteAction, editAction } from '../../ui/row-menu.tsx';
import { Hint } from '../../ui/text.tsx';
import { ConsumerForm } from './consumer-form.tsx';
import { type Consumer, consumerPermission, consumersQuery, filtersText } from './consumer-queries.ts';

type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'edit' | 'skip' | 'replay' | 'remove'; readonly consumer: Consumer };

const key = 'GET /api/admin/event-consumers';

/** Lists the consumers of the event log, with their position and lag. */
export function ConsumersPage() {
  const consumers = useQuery(consumersQuery);
  useEachNewer('events', consumers.refetch);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={titleOf('/integrations/consumers')}
      guide="guides/event-feed"
      description="Programs that read the event log. The server keeps the position of each consumer."
      actions={
        <NewButton needs={consumerPermission} onClick={() => setOpen({ kind: 'new' })}>
          New consumer
        </NewButton>
      }
    >
      <Loaded query={consumers} rows={3}>
        {({ consumers: list }) => (
          <Stack>
            <Listing
              rows={list}
              rowKey={({ name }) => name}
              empty={
                <EmptyState title="No event consumers yet">
                  A consumer reads events in order and acknowledges them, each at least once. Copy events to a data
                  warehouse or a security monitor with it.
                </EmptyState>
              }
              columns={columns}
              menu={(consumer) => ({
                of: consumer.name,
                actions: [
                  editAction(() => setOpen({ kind: 'edit', consumer }), { needs: consumerPermission }),
                  {
                    label: 'Skip to newest event',
                    needs: consumerPermission,
                    run: () => setOpen({ kind: 'skip', consumer }),
                  },
                  {
                    label: 'Replay from the beginning',
                    needs: consumerPermission,
                    run: () => setOpen({ kind: 'replay', consumer }),
                  },
                  deleteAction(() => setOpen({ kind: 'remove', consumer }), { needs: consumerPermission }),
                ],
              })}
            />
          </Stack>
        )}
      </Loaded>
      {open?.kind === 'new' && <ConsumerForm taken={consumers.data?.consumers ?? []} onClose={close} />}
      {open?.kind === 'edit' && <ConsumerForm consumer={open.consumer} taken={[]} onClose={close} />}
      {open !== undefined && open.kind !== 'new' && open.kind !== 'edit' && (
        <Confirmation kind={open.kind} consumer={open.consumer} onClose={close} />
      )}
    </Page>
  );
}

const columns: readonly Column<Consumer>[] = [
  {
    header: 'Consumer',
    cell: (consumer) => (
      <NameCell name={consumer.name}>
        {consumer.description !== '' && <div>{consumer.description}</div>}
        <div>{filtersText(consumer)}</div>
      </NameCell>
    ),
  },
  { header: 'Lag', cell: ({ lag }) => <Lag lag={lag} /> },
  {
    header: 'Acknowledged',
    visibleFrom: 'sm',
    cell: ({ acknowledged, acknowledgedAt }) => (
      <Text size="sm" component="div">
        event <Code>{acknowledged}</Code>{' '}
        {acknowledgedAt === null ? <Hint span>start position</Hint> : <RelativeTime at={acknowledgedAt} />}
      </Text>
    ),
  },
  {
    header: 'Worker',
    visibleFrom: 'sm',
    cell: ({ worker }) => (
      <Text size="sm" c={worker === null ? 'dimmed' : 'bright'} style={{ overflowWrap: 'anywhere' }}>
        {worker ?? 'None'}
      </Text>
    ),
  },
];

function Lag({ lag }: { readonly lag: number }) {
  return (
    <Badge color={lag === 0 ? 'green' : 'yellow'}>
      {lag === 0 ? 'Up to date' : `${lag.toLocaleString('en')} ${lag === 1 ? 'event' : 'events'}`}
    </Badge>
  );
}

interface ConfirmationProps {
  readonly kind: 'skip' | 'replay' | 'remove';
  readonly consumer: Consumer;
  readonly onClose: () => void;
}

function Confirmation({ kind, consumer: { name, lag }, onClose }: ConfirmationProps) {
  const params = { name };
  const moveTo = (acknowledged: number | 'newest') =>
    api('PUT /api/admin/event-consumers/:name', { params, body: { acknowledged } });
  const texts = {
    skip: {
      title: 'Skip to the newest event?',
      action: 'Skip events',
      text: `${name} will not receive what it has not acknowledged: ${counted(lag, 'event')}.`,
      run: () => moveTo('newest'),
    },
    replay: {
      title: 'Replay all events?',
      action: 'Replay events',
      text: `${name} will receive the whole event log again, from the first event.`,
      run: () => moveTo(0),
    },
    remove: {
      title: 'Delete event consumer?',
      action: 'Delete event consumer',
      text: `The position of ${name} is lost, and its program gets an error.`,
      run: () => api('DELETE /api/admin/event-consumers/:name', { params }),
    },
  }[kind];
  return (
    <Confirm title={texts.title} action={texts.action} run={texts.run} changes={[key]} onClose={onClose}>
      {texts.text}
    </Confirm>
  );
}
