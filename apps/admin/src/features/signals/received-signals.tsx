import { Anchor, Button, Code, Grid, Group, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { signalQuery } from '../../entities/actions/action-queries.ts';
import { type EndpointSignal, receivedQuery, type SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import type { SignalSearch } from '../../entities/signals/signal-search.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { SidePanel } from '../../ui/dialog.tsx';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Payload } from '../../ui/payload.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Muted } from '../../ui/text.tsx';
import { MakeAction, SignalRuns } from '../actions/index.ts';
import { expectationText } from './expectation.ts';
import { SignalList } from './signal-list.tsx';
import { TestSignal } from './test-signal.tsx';

interface Props {
  readonly endpoint: SignalEndpoint;
  /** The selected signal and the filters. */
  readonly search: SignalSearch;
  readonly onChange: (part: SignalSearch) => void;
  readonly onClose: () => void;
  readonly onViewConfiguration: () => void;
}

/** Lists the signals of an endpoint, newest first, updated live. */
export function ReceivedSignals({ endpoint, search, onChange, onClose, onViewConfiguration }: Props) {
  const signals = useInfiniteQuery(receivedQuery(endpoint.id, search));
  useEachNewer('signals', signals.refetch);
  const [testing, setTesting] = useState(false);
  // New signals move others from the end of one page to the start of the next: remove duplicates.
  const shown = [...new Map(signals.data?.pages.flat().map((signal) => [signal.id, signal])).values()];
  // Newer signals push older ones out of the loaded pages. A selected signal stays, so it is loaded by its id.
  const selected = useQuery({ ...signalQuery(search.signal ?? 0), enabled: search.signal !== undefined });
  const isOfEndpoint = selected.data?.sourceId === endpoint.id && search.signal !== undefined;
  const chosen = shown.find(({ id }) => id === search.signal) ?? (isOfEndpoint ? selected.data : undefined) ?? shown[0];
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
  const expectation = expectationText(endpoint);
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
        {expectation !== undefined && <Muted style={{ overflowWrap: 'anywhere' }}>{expectation}</Muted>}
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
  // The selected signal may not match the new filters, so the selection is cleared.
  const change = (part: SignalSearch) => onChange({ ...part, signal: undefined });
  return (
    <Group gap="sm" align="flex-end">
      <SearchInput
        label="Search signals"
        placeholder="Words in the payload or the token name"
        value={search.query}
        onChange={(query) => change({ query })}
      />
      <DateTimeInput label="From" value={search.from} onChange={(from) => change({ from })} />
      <DateTimeInput label="Before" value={search.to} onChange={(to) => change({ to })} />
    </Group>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <NoMatch plural="signals" hint="Try fewer words, or another time." />;
  return (
    <EmptyState title="No signals yet">
      Signals appear here as they arrive. Send a test signal, or configure a sender with a token of this endpoint.
    </EmptyState>
  );
}

interface DetailProps {
  readonly signal: Pick<EndpointSignal, 'id'> & { readonly payload?: unknown };
  readonly endpoint: SignalEndpoint;
}

function Detail({ signal, endpoint }: DetailProps) {
  return (
    <Stack component="section" aria-label={`Signal ${signal.id}`}>
      <Group justify="flex-end">
        <MakeAction signalId={signal.id} />
      </Group>
      <Payload title={`Payload of signal ${signal.id}`} value={signal.payload} />
      <SignalRuns signalId={signal.id} endpointId={endpoint.id} />
    </Stack>
  );
}
