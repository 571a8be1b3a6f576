import { SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { SidePanel } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { DeliveryList } from './delivery-list.tsx';
import type { Integration } from './integration-queries.ts';

const states = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Dead letters' },
] as const;
type State = (typeof states)[number]['value'];

/** Shows the health of an integration and its deliveries, newest first. */
export function Deliveries({
  integration: { id },
  onClose,
}: {
  readonly integration: Integration;
  readonly onClose: () => void;
}) {
  const [state, setState] = useState<State>('all');
  const deliveries = useInfiniteQuery({
    queryKey: ['GET /api/admin/integrations/:id/deliveries', id, state],
    queryFn: ({ pageParam }) =>
      api('GET /api/admin/integrations/:id/deliveries', {
        params: { id },
        query: {
          ...(state === 'all' ? {} : { state }),
          ...(pageParam === null ? {} : { before: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  useEachNewer('deliveries', deliveries.refetch);
  return (
    <SidePanel onClose={onClose} size={760} title="Deliveries">
      <Stack>
        <DeliveryActions integrationId={id} />
        <SegmentedControl
          aria-label="State"
          data={[...states]}
          value={state}
          onChange={(value) => setState(value as State)}
          fullWidth
        />
        <Loaded query={deliveries}>
          {({ pages }) => {
            const all = pages.flatMap((page) => page.deliveries);
            return all.length === 0 ? (
              <EmptyState title="No deliveries">Deliveries appear here as events are sent.</EmptyState>
            ) : (
              <DeliveryList integrationId={id} deliveries={all} />
            );
          }}
        </Loaded>
        <LoadMore query={deliveries} label="Show more" />
      </Stack>
    </SidePanel>
  );
}
