import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readableAuthor } from '@yardarm/contract/author-names';
import {
  causedByQuery,
  eventQuery,
  type ReceivedSignal,
  signalQuery,
  subjectOf,
  titleOf,
} from '../../entities/events/event-queries.ts';
import { readEventSearch } from '../../entities/events/event-search.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import type { ListedRun } from '../../entities/runs/run-queries.ts';
import { runsOfSignalQuery } from '../../entities/runs/run-queries.ts';
import { senderOf } from '../../entities/signals/signal-queries.ts';
import { holdsSomewhere, meQuery } from '../../lib/me.ts';
import { DeletedPayload } from '../../ui/deleted-payload.tsx';
import { SidePanel } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { HiddenPayload } from '../../ui/hidden-payload.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { TableSkeleton } from '../../ui/page.tsx';
import { Payload } from '../../ui/payload.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SourceLink } from '../../ui/source-link.tsx';
import { Muted, Strong } from '../../ui/text.tsx';
import { SignalRuns } from '../actions/index.ts';
import { TruncatedAlerts } from '../signals/index.ts';
import { EventDetail } from './event-detail.tsx';

interface Props {
  /** The event or signal to show. */
  readonly event: number | undefined;
  readonly received: number | undefined;
  readonly onClose: () => void;
}

/** Shows an event, or a signal and its effects, in a panel beside the log. */
export function DetailDrawer({ event, received, onClose }: Props) {
  if (event === undefined && received === undefined) return null;
  const title = event === undefined ? `Signal ${received}` : `Event ${event}`;
  return (
    <SidePanel onClose={onClose} size="lg" title={title}>
      {event !== undefined && <OneEvent id={event} />}
      {event === undefined && received !== undefined && <OneSignal id={received} />}
    </SidePanel>
  );
}

function OneEvent({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery(eventQuery(id));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <TableSkeleton rows={3} />;
  if (data === null)
    return <EmptyState title="Event not found">It may belong to a project that you have no access to.</EmptyState>;
  return (
    <Stack>
      <Stack gap={2}>
        <Title order={3} size="h4">
          {[titleOf(data), subjectOf(data)].filter((part) => part !== undefined).join(': ')}
        </Title>
        <Muted>
          {readableAuthor(data.createdBy)} · <RelativeTime at={data.createdAt} />
        </Muted>
      </Stack>
      <EventDetail event={data} />
    </Stack>
  );
}

function OneSignal({ id }: { readonly id: number }) {
  const { data: found, error, refetch } = useQuery(signalQuery(id));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (found === undefined) return <TableSkeleton rows={3} />;
  const { signal: data, digest } = found;
  return (
    <Stack>
      {data !== null && <SignalFacts signal={data} />}
      {digest !== null && (
        <>
          <Muted>
            Received <RelativeTime at={digest.createdAt} />
          </Muted>
          <DeletedPayload digest={digest} />
        </>
      )}
      {data === null && digest === null && (
        <EmptyState title="This signal has been deleted">
          Signals are deleted after a while. The events that they caused stay in the log.
        </EmptyState>
      )}
      {data !== null && <SignalRuns signalId={id} endpointId={data.sourceId} />}
      <Caused signal={id} />
      {data !== null &&
        (data.payload === undefined ? <HiddenPayload /> : <Payload title="Payload" value={data.payload} />)}
    </Stack>
  );
}

function SignalFacts({ signal }: { readonly signal: ReceivedSignal }) {
  return (
    <Stack gap={2}>
      <Title order={3} size="h4">
        {signal.sourceName ?? 'Deleted endpoint'}
      </Title>
      <Muted>
        {senderOf(signal)} · <RelativeTime at={signal.createdAt} />
      </Muted>
      <TruncatedAlerts count={signal.normalized?.truncatedAlerts} />
      {linksOf(signal).map((url) => (
        <SourceLink key={url} url={url} />
      ))}
    </Stack>
  );
}

/**
 * Returns the links of a signal: its own link, and the link of its alert if it has only one. The links of several
 * alerts can be found in the payload.
 */
function linksOf({ normalized }: ReceivedSignal): readonly string[] {
  const elements = normalized?.elements ?? [];
  const links = [elements.length === 1 ? elements[0]?.link : null, normalized?.link];
  return [...new Set(links.filter((link) => link != null))];
}

function Caused({ signal }: { readonly signal: number }) {
  const { data } = useQuery(causedByQuery(signal));
  if (data === undefined) return <TableSkeleton rows={1} />;
  return (
    <Stack gap="xs">
      <Strong>Changes</Strong>
      {data.events.length === 0 && <NoChanges signal={signal} />}
      {data.events.map((event) => (
        <TextLink
          key={event.id}
          to="/history"
          search={(shown) => ({ ...readEventSearch(shown), received: undefined, event: event.id })}
          size="sm"
        >
          {[titleOf(event), subjectOf(event), event.environment].filter((part) => (part ?? '') !== '').join(' · ')}
        </TextLink>
      ))}
      {data.total > 1 && (
        <Group>
          <ButtonLink to="/history" search={{ signal }} size="xs" variant="default">
            Show in the event log
          </ButtonLink>
        </Group>
      )}
    </Stack>
  );
}

/** Says why a signal changed nothing. The reason comes from its runs, if the user may see them. */
function NoChanges({ signal }: { readonly signal: number }) {
  const { data: me } = useQuery(meQuery);
  const isReader = me !== undefined && holdsSomewhere(me.permissions, ['READ_ACTIONS']);
  const { data: runs } = useQuery({ ...runsOfSignalQuery(signal), enabled: isReader });
  return (
    <Muted component="div">
      {runs === undefined ? (
        'No changes.'
      ) : runs.length === 0 ? (
        'No changes: no action matched.'
      ) : (
        <Unchanging runs={runs} />
      )}
    </Muted>
  );
}

function Unchanging({ runs }: { readonly runs: readonly ListedRun[] }) {
  const [newest] = runs;
  if (newest === undefined) return null;
  if (runs.length === 1)
    return (
      <>
        No changes: <RunLink id={newest.id}>1 run</RunLink> changed no flag.
      </>
    );
  return (
    <>
      No changes: {runs.length} runs changed no flag, the newest is <RunLink id={newest.id}>run {newest.id}</RunLink>.
    </>
  );
}
