import { Button, Group, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core';
import type { SignalState } from '@yardarm/contract';
import { type EndpointSignal, senderOf, summaryOf } from '../../entities/signals/signal-queries.ts';
import { formatDateTime } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, RowName, SmallBadge } from '../../ui/text.tsx';
import styles from './signal-list.module.css';
import { TruncatedAlerts } from './truncated-alerts.tsx';

interface Props {
  readonly signals: readonly EndpointSignal[];
  readonly selected: number;
  readonly onSelect: (id: number) => void;
  /** Whether older signals can be loaded. */
  readonly more: boolean;
  readonly loading: boolean;
  readonly onMore: () => void;
}

/** Lists signals with their time, sender and title or first words. The user selects one of them. */
export function SignalList({ signals, selected, onSelect, more, loading, onMore }: Props) {
  return (
    <ScrollArea.Autosize className={styles.box} type="auto" offsetScrollbars viewportProps={{ tabIndex: -1 }}>
      <ul className={styles.list} aria-label="Signals, newest first">
        {signals.map((signal) => (
          <li key={signal.id}>
            <UnstyledButton
              className={styles.signal}
              onClick={() => onSelect(signal.id)}
              aria-pressed={signal.id === selected}
            >
              <Signal signal={signal} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {more && (
        <Button variant="default" fullWidth mt="xs" onClick={onMore} loading={loading}>
          Load more
        </Button>
      )}
    </ScrollArea.Autosize>
  );
}

const colorOf: Readonly<Record<SignalState, string>> = {
  firing: 'red',
  failed: 'red',
  pending: 'yellow',
  resolved: 'green',
  succeeded: 'green',
};

function Signal({ signal }: { readonly signal: EndpointSignal }) {
  const summary = summaryOf(signal);
  const state = signal.normalized?.state ?? null;
  return (
    <Stack gap={2} component="span">
      <Group gap="xs" justify="space-between" component="span">
        <RowName component="span" className={styles.time}>
          {formatDateTime(signal.createdAt)}
        </RowName>
        <Hint component="span">
          <RelativeTime at={signal.createdAt} />
        </Hint>
      </Group>
      <Group gap="xs" component="span">
        {signal.test || signal.silence ? (
          <SmallBadge color="gray" component="span">
            {senderOf(signal)}
          </SmallBadge>
        ) : (
          <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
            {senderOf(signal)}
          </Text>
        )}
        {state !== null && (
          <SmallBadge color={colorOf[state]} component="span">
            {state}
          </SmallBadge>
        )}
      </Group>
      <TruncatedAlerts count={signal.normalized?.truncatedAlerts} />
      {summary !== '' && (
        <Hint component="span" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {summary}
        </Hint>
      )}
    </Stack>
  );
}
