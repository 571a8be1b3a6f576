import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextLink } from '../../../ui/link.tsx';
import { Payload } from '../../../ui/payload.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SectionCard } from '../../../ui/section-card.tsx';
import { serviceAccountsQuery } from '../action-queries.ts';
import { lengthOf } from './length.ts';
import { RunLink } from './run-link.tsx';
import type { RunDetail } from './run-queries.ts';
import { RunState } from './run-state.tsx';

const mostShown = 20;

/** Who ran it, when, and how long after the signal. */
export function RunFacts({ run }: { readonly run: RunDetail }) {
  const { project, actionSetId, actionSet, createdAt, signal, trigger, takesBackRunId, element, setIsThere } = run;
  const { data: accounts } = useQuery(serviceAccountsQuery);
  const account = accounts?.find(({ id }) => id === actionSet.actorId);
  const by = trigger === 'take-back' ? run.events[0]?.createdBy : account?.name || account?.username;
  return (
    <SectionCard title="About it">
      <Stack gap="sm">
        <Fact name="Action">
          {setIsThere ? (
            <TextLink
              to="/projects/$projectId/settings/actions"
              params={{ projectId: project }}
              search={{ edit: actionSetId }}
              size="sm"
            >
              {actionSet.name}
            </TextLink>
          ) : (
            `${actionSet.name}, which is gone`
          )}
        </Fact>
        <Fact name={trigger === 'take-back' ? 'By' : 'Service account'}>{by ?? 'An account that is gone'}</Fact>
        <Fact name="When">
          <RelativeTime at={createdAt} />
          {trigger === 'signal' &&
            `, ${lengthOf(Date.parse(createdAt) - Date.parse(signal.createdAt))} after the signal`}
        </Fact>
        {takesBackRunId !== null && (
          <Fact name="Takes back">
            <RunLink id={takesBackRunId} />
          </Fact>
        )}
        {element !== null && (
          <Fact name="Element">
            <Text size="sm" ff="monospace" span>
              {actionSet.match.forEach}[{element}]
            </Text>
          </Fact>
        )}
        <Others run={run} />
      </Stack>
    </SectionCard>
  );
}

/** The other runs of the set that the signal has set off. */
function Others({ run }: { readonly run: RunDetail }) {
  const others = run.siblings.filter(({ id }) => id !== run.id);
  if (others.length === 0) return null;
  return (
    <Fact name="Also set off by the signal">
      <Stack gap={4}>
        {others.slice(0, mostShown).map((other) => (
          <Group key={other.id} gap="xs">
            <RunLink id={other.id} />
            <RunState run={other} />
          </Group>
        ))}
        {others.length > mostShown && <Text size="sm">and {others.length - mostShown} more</Text>}
      </Stack>
    </Fact>
  );
}

/** What came in, with the way to all that followed from it. */
export function RunSignal({ run: { signal, signalId } }: { readonly run: RunDetail }) {
  return (
    <SectionCard
      title="Signal"
      description={
        <TextLink to="/history" search={{ received: signalId }} size="sm">
          Signal {signalId}
        </TextLink>
      }
    >
      {signal.payload === null ? (
        <Text size="sm" c="dimmed">
          Its payload was empty, or is no longer kept.
        </Text>
      ) : (
        <Payload title="Payload" value={signal.payload} />
      )}
    </SectionCard>
  );
}

/** What the event log has of the run. */
export function RunEvents({ run: { events, signalId, shadow } }: { readonly run: RunDetail }) {
  return (
    <SectionCard title="Events">
      {events.length === 0 && (
        <Text size="sm" c="dimmed">
          {shadow ? 'Shadow mode: the run is recorded, and nothing was changed.' : 'It changed nothing.'}
        </Text>
      )}
      {events.length > 0 && (
        <Stack gap={6}>
          {events.map(({ id, label, type, featureName, environment, createdBy }) => (
            <Group key={id} justify="space-between" gap={4}>
              <TextLink
                to="/history"
                search={{ signal: signalId, event: id }}
                size="sm"
                style={{ overflowWrap: 'anywhere' }}
              >
                {[label === type ? type.replaceAll('-', ' ') : label, featureName, environment]
                  .filter((part) => (part ?? '') !== '')
                  .join(' · ')}
              </TextLink>
              <Text size="xs" c="dimmed">
                {createdBy}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Stack>
  );
}
