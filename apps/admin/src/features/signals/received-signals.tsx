import { Anchor, Button, Code, Grid, Group, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEachNewer } from '../../lib/newest.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MomentInput } from '../../ui/moment-input.tsx';
import { SidePanel } from '../../ui/over-page.tsx';
import { Payload } from '../../ui/payload.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { SignalRuns } from '../actions/runs/signal-runs.tsx';
import { SignalList } from './signal-list.tsx';
import { type EndpointSignal, receivedQuery, type SignalEndpoint } from './signal-queries.ts';
import type { SignalSearch } from './signal-search.ts';
import { TestSignal } from './test-signal.tsx';

interface Props {
  readonly endpoint: SignalEndpoint;
  /** What of it is shown. */
  readonly search: SignalSearch;
  readonly onChange: (part: SignalSearch) => void;
  readonly onClose: () => void;
  readonly onViewConfiguration: () => void;
}

/** What an endpoint has received, the newest first; new ones appear by themselves. */
export function ReceivedSignals({ endpoint, search, onChange, onClose, onViewConfiguration }: Props) {
  const signals = useInfiniteQuery(receivedQuery(endpoint.id, search));
  useEachNewer('signalId', signals.refetch);
  const [testing, setTesting] = useState(false);
  // While pages are being fetched more may arrive, and what was at the end of one is at the beginning of the next.
  const shown = [...new Map(signals.data?.pages.flat().map((signal) => [signal.id, signal])).values()];
  const chosen = shown.find(({ id }) => id === search.signal) ?? shown[0];
  const filtered = [search.query, search.from, search.to].some((filter) => filter !== undefined);
  return (
    <SidePanel onClose={onClose} size={1100} title={`Signals: ${endpoint.name}`}>
      <Stack>
        <Head endpoint={endpoint} onViewConfiguration={onViewConfiguration} onTest={() => setTesting(true)} />
        <Filters search={search} onChange={onChange} />
        <Loaded query={signals}>
          {() =>
            chosen === undefined ? (
              <Nothing filtered={filtered} />
            ) : (
              <Grid gap="lg">
                <Grid.Col span={{ base: 12, md: 5 }}>
                  <SignalList
                    signals={shown}
                    selected={chosen.id}
                    onSelect={(signal) => onChange({ signal })}
                    more={signals.hasNextPage}
                    loading={signals.isFetchingNextPage}
                    onMore={() => void signals.fetchNextPage()}
                  />
                </Grid.Col>
                <Grid.Col span={{ base: 12, md: 7 }}>
                  <Detail key={chosen.id} signal={chosen} endpoint={endpoint} />
                </Grid.Col>
              </Grid>
            )
          }
        </Loaded>
      </Stack>
      {testing && <TestSignal endpoint={endpoint} example={chosen?.payload} onClose={() => setTesting(false)} />}
    </SidePanel>
  );
}

interface HeadProps extends Pick<Props, 'endpoint' | 'onViewConfiguration'> {
  readonly onTest: () => void;
}

function Head({ endpoint, onViewConfiguration, onTest }: HeadProps) {
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={4} flex="1 1 320px">
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{endpoint.url}</Code>
          <CopyButton value={endpoint.url} label="Copy URL" />
          <Anchor component="button" type="button" size="sm" onClick={onViewConfiguration}>
            View configuration
          </Anchor>
        </Group>
        {endpoint.description !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {endpoint.description}
          </Text>
        )}
      </Stack>
      <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} onClick={onTest}>
        Send a test signal
      </Button>
    </Group>
  );
}

function Filters({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  // What was chosen may not be among what is found.
  const change = (part: SignalSearch) => onChange({ ...part, signal: undefined });
  return (
    <Group gap="sm" align="flex-end">
      <SearchInput
        label="Search signals"
        placeholder="Words of the payload or the token's name"
        value={search.query}
        onChange={(query) => change({ query })}
      />
      <MomentInput label="From" value={search.from} onChange={(from) => change({ from })} />
      <MomentInput label="Before" value={search.to} onChange={(to) => change({ to })} />
    </Group>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <EmptyState title="No signal is like that">Look for fewer words, or another time.</EmptyState>;
  return (
    <EmptyState title="No signals yet">
      They appear here as they arrive. Send a test signal to try what reacts to it, or let the other system send with a
      token of this endpoint.
    </EmptyState>
  );
}

function Detail({ signal, endpoint }: { readonly signal: EndpointSignal; readonly endpoint: SignalEndpoint }) {
  return (
    <Stack component="section" aria-label={`Signal ${signal.id}`}>
      <Payload title={`Payload of signal ${signal.id}`} value={signal.payload} />
      <SignalRuns signalId={signal.id} endpointId={endpoint.id} />
    </Stack>
  );
}
