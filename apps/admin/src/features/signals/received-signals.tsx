import { Anchor, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SidePanel } from '../../ui/over-page.tsx';
import { TableSkeleton } from '../../ui/page.tsx';
import { Payload } from '../../ui/payload.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SignalRuns } from '../actions/runs/signal-runs.tsx';
import type { EndpointSignal, SignalEndpoint } from './signal-queries.ts';

const pageSize = 20;

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly onClose: () => void;
  readonly onViewConfiguration: () => void;
}

/** What an endpoint has received, the newest first; new ones appear by themselves. */
export function ReceivedSignals({ endpoint, onClose, onViewConfiguration }: Props) {
  const [selected, setSelected] = useState<number>();
  const signals = useInfiniteQuery({
    queryKey: ['GET /api/admin/signal-endpoints/:signalEndpointId/signals', endpoint.id],
    queryFn: async ({ pageParam }) => {
      const answer = await api('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId: endpoint.id },
        query: { limit: String(pageSize), offset: String(pageParam) },
      });
      return answer.signalEndpointSignals;
    },
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
    refetchInterval: 2_000,
  });
  // While pages are being fetched more may arrive, and what was at the end of one is at the beginning of the next.
  const shown = [...new Map(signals.data?.pages.flat().map((signal) => [signal.id, signal])).values()];
  const chosen = shown.find(({ id }) => id === selected) ?? shown[0];
  return (
    <SidePanel onClose={onClose} size={960} title={`Signals: ${endpoint.name}`}>
      <Stack>
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{endpoint.url}</Code>
          <CopyButton value={endpoint.url} label="Copy URL" />
          <Anchor component="button" type="button" size="sm" onClick={onViewConfiguration}>
            View configuration
          </Anchor>
        </Group>
        {endpoint.description !== null && <Text size="sm">{endpoint.description}</Text>}
        {signals.error !== null && <Failure error={signals.error} onRetry={() => void signals.refetch()} />}
        {signals.isPending && <TableSkeleton />}
        {signals.data !== undefined && shown.length === 0 && (
          <EmptyState title="No signals yet">
            They appear here as they arrive. Send one with a token of this endpoint to try it.
          </EmptyState>
        )}
        {shown.length > 0 && <SignalTable signals={shown} selected={chosen?.id} onSelect={setSelected} />}
        {signals.hasNextPage && (
          <Button variant="default" onClick={() => void signals.fetchNextPage()} loading={signals.isFetchingNextPage}>
            Load more
          </Button>
        )}
        {chosen !== undefined && <SignalRuns key={chosen.id} signalId={chosen.id} endpointId={endpoint.id} />}
        {chosen !== undefined && <Payload title={`Payload of signal ${chosen.id}`} value={chosen.payload} />}
      </Stack>
    </SidePanel>
  );
}

interface TableProps {
  readonly signals: readonly EndpointSignal[];
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
}

function SignalTable({ signals, selected, onSelect }: TableProps) {
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Date</Table.Th>
          <Table.Th>Token</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {signals.map(({ id, createdAt, tokenName }) => (
          <Table.Tr key={id} {...(id === selected ? { bg: 'var(--mantine-primary-color-light)' } : {})}>
            <Table.Td>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => onSelect(id)}
                aria-pressed={id === selected}
              >
                <RelativeTime at={createdAt} />
              </Anchor>
            </Table.Td>
            <Table.Td>{tokenName ?? 'A token that is gone'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
