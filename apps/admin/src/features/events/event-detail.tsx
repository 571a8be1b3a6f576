import { Code, Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import type { LoggedEvent } from '../../entities/events/event-queries.ts';
import { readEventSearch } from '../../entities/events/event-search.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Diff } from '../../ui/diff.tsx';
import { Fact } from '../../ui/fact.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Payload } from '../../ui/payload.tsx';
import { Muted, SmallBadge, Strong } from '../../ui/text.tsx';

/** The cause, subject and changes of an event. */
export function EventDetail({ event }: { readonly event: LoggedEvent }) {
  return (
    <Stack gap="md">
      <Facts event={event} />
      <Change event={event} />
    </Stack>
  );
}

function Facts({ event }: { readonly event: LoggedEvent }) {
  const { featureName, project, environment, cause, groupId, tags, outcome, reason, origin } = event;
  return (
    <Group gap="lg" align="flex-start">
      {reason !== null && <Fact name="Reason">{reason}</Fact>}
      {outcome !== 'success' && <Fact name="Outcome">{outcome === 'failure' ? 'Failed' : 'Refused'}</Fact>}
      {origin !== null && <OriginFacts origin={origin} />}
      {cause.signalId !== null && (
        <Fact name="Cause">
          <SignalLink id={cause.signalId} />
          {cause.runId !== null && (
            <>
              {' · '}
              <RunLink id={cause.runId}>run {cause.runId}</RunLink>
            </>
          )}
        </Fact>
      )}
      {project !== null && (
        <Fact name="Project">
          <TextLink to="/history" search={{ project: project.split(',') }} size="sm">
            {project}
          </TextLink>
        </Fact>
      )}
      {featureName !== null && (
        <Fact name="Flag">
          <TextLink to="/history" search={{ feature: [featureName] }} size="sm" ff="monospace">
            {featureName}
          </TextLink>
        </Fact>
      )}
      {environment !== null && <Fact name="Environment">{environment}</Fact>}
      {tags.length > 0 && (
        <Fact name="Tags">
          <Group gap={4}>
            {tags.map(({ type, value }) => (
              <SmallBadge key={`${type}:${value}`} color="gray">
                {type}:{value}
              </SmallBadge>
            ))}
          </Group>
        </Fact>
      )}
      {groupId !== null && (
        <Fact name="Part of">
          <TextLink to="/history" search={{ group: groupId }} size="sm">
            All events of this change
          </TextLink>
        </Fact>
      )}
      {cause.requestId !== null && (
        <Fact name="Request">
          <Group gap={2} wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{cause.requestId}</Code>
            <CopyButton value={cause.requestId} label="Copy the request ID" />
          </Group>
        </Fact>
      )}
    </Group>
  );
}

const methods = {
  session: 'Session',
  'personal-token': 'Personal token',
  'service-account-token': 'Token of the service account',
  'admin-token': 'Admin token',
  none: 'No credentials',
} as const;

function OriginFacts({ origin }: { readonly origin: NonNullable<LoggedEvent['origin']> }) {
  const { address, userAgent, method, sessionId, tokenId } = origin;
  const id = sessionId ?? tokenId;
  return (
    <>
      <Fact name="Authentication">{id === null ? methods[method] : `${methods[method]} ${id}`}</Fact>
      {address !== null && <Fact name="Address">{address}</Fact>}
      {userAgent !== null && (
        <Fact name="User agent">
          <span style={{ overflowWrap: 'anywhere' }}>{userAgent}</span>
        </Fact>
      )}
    </>
  );
}

/** Opens a signal in the panel beside the log. */
function SignalLink({ id }: { readonly id: number }) {
  return (
    <TextLink
      to="/history"
      search={(shown) => ({ ...readEventSearch(shown), event: undefined, received: id })}
      size="sm"
    >
      Signal {id}
    </TextLink>
  );
}

function Change({ event: { data, preData } }: { readonly event: LoggedEvent }) {
  const [view, setView] = useState('changes');
  if (data === null && preData === null) return <Muted>This event has no further data.</Muted>;
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        value={view}
        onChange={setView}
        data={[
          { value: 'changes', label: 'Changes' },
          { value: 'whole', label: 'Before and after' },
        ]}
        aria-label="Change view"
        style={{ alignSelf: 'flex-start' }}
      />
      {view === 'changes' ? (
        <Diff before={preData} after={data} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Whole title="Before" value={preData} />
          <Whole title="After" value={data} />
        </SimpleGrid>
      )}
    </Stack>
  );
}

function Whole({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value !== null) return <Payload title={title} value={value} />;
  return (
    <Stack gap="xs">
      <Strong>{title}</Strong>
      <Muted>Nothing</Muted>
    </Stack>
  );
}
