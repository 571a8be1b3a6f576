import { Box, Code, Group, Stack, Title, UnstyledButton } from '@mantine/core';
import { IconBroadcast, IconChevronRight } from '@tabler/icons-react';
import { readableAuthor } from '@yardarm/contract/author-names';
import { type LoggedEvent, subjectOf, titleOf } from '../../entities/events/event-queries.ts';
import { formatDay, formatTime } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Muted, RowName, SmallBadge } from '../../ui/text.tsx';
import { EventDetail } from './event-detail.tsx';
import styles from './event-list.module.css';

interface Props {
  readonly events: readonly LoggedEvent[];
  /** The ids of the expanded events. */
  readonly open: ReadonlySet<number>;
  readonly onToggle: (id: number) => void;
}

/** Lists events by day. Each can be expanded. */
export function EventList({ events, open, onToggle }: Props) {
  return (
    <Stack gap="lg">
      {byDay(events).map(([day, ofDay]) => (
        <Stack key={day} gap={0} component="section" aria-label={day}>
          <Title order={2} size="sm" c="dimmed" pb={6}>
            {day}
          </Title>
          <ul className={styles.list}>
            {ofDay.map((event) => (
              <li key={event.id} className={styles.item}>
                <EventRow event={event} opened={open.has(event.id)} onToggle={onToggle} />
              </li>
            ))}
          </ul>
        </Stack>
      ))}
    </Stack>
  );
}

function byDay(events: readonly LoggedEvent[]): [day: string, events: readonly LoggedEvent[]][] {
  return [...Map.groupBy(events, ({ createdAt }) => formatDay(createdAt))];
}

interface RowProps {
  readonly event: LoggedEvent;
  readonly opened: boolean;
  readonly onToggle: (id: number) => void;
}

function EventRow({ event, opened, onToggle }: RowProps) {
  return (
    <>
      <UnstyledButton className={styles.row} onClick={() => onToggle(event.id)} aria-expanded={opened}>
        <IconChevronRight size={16} className={styles.chevron} data-opened={opened || undefined} aria-hidden />
        <EventLine event={event} />
      </UnstyledButton>
      {opened && (
        <Box className={styles.detail}>
          <EventDetail event={event} />
        </Box>
      )}
    </>
  );
}

/** One line for an event: what happened, to what, by whom and when. */
function EventLine({ event }: { readonly event: LoggedEvent }) {
  const subject = subjectOf(event);
  return (
    <Group gap="xs" justify="space-between" flex={1} miw={0} component="span">
      <Group gap="xs" miw={0} component="span">
        <RowName component="span">{titleOf(event)}</RowName>
        {subject !== undefined && <Code style={{ overflowWrap: 'anywhere' }}>{subject}</Code>}
        {event.environment !== null && (
          <SmallBadge color="gray" component="span">
            {event.environment}
          </SmallBadge>
        )}
        {event.cause.signalId !== null && (
          <SmallBadge
            color="orange"
            component="span"
            leftSection={<IconBroadcast size={12} aria-hidden />}
            className={styles.signal}
          >
            signal {event.cause.signalId}
          </SmallBadge>
        )}
      </Group>
      <Muted component="span" style={{ overflowWrap: 'anywhere' }}>
        {readableAuthor(event.createdBy)} · {formatTime(event.createdAt)} · <RelativeTime at={event.createdAt} />
      </Muted>
    </Group>
  );
}
