import { Group, Stack, Text } from '@mantine/core';
import { readableAuthor } from '@yardarm/contract/author-names';
import { RunLink } from '../../../entities/runs/run-link.tsx';
import type { RunDetail } from '../../../entities/runs/run-queries.ts';
import { RunState } from '../../../entities/runs/run-state.tsx';
import { useMay } from '../../../lib/me.ts';
import { DeletedPayload } from '../../../ui/deleted-payload.tsx';
import { Fact } from '../../../ui/fact.tsx';
import { HiddenPayload, payloadPermission } from '../../../ui/hidden-payload.tsx';
import { TextLink } from '../../../ui/link.tsx';
import { Payload } from '../../../ui/payload.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SectionCard } from '../../../ui/section-card.tsx';
import { Hint, Muted } from '../../../ui/text.tsx';
import { formatDuration } from './duration.ts';

const maxShown = 20;

/** The account, time and delay of a run. */
export function RunFacts({ run }: { readonly run: RunDetail }) {
  const { project, actionSetId, actionSet, createdAt, signal, trigger, takesBackRunId, element, setIsThere } = run;
  const isAdmin = useMay()('ADMIN');
  const by = trigger === 'take-back' ? run.events[0]?.createdBy : run.actorName;
  return (
    <SectionCard title="Details">
      <Stack gap="sm">
        <Fact name="Action">
          {setIsThere ? (
            <TextLink
              to="/projects/$projectId/settings/actions"
              params={{ projectId: project }}
              search={isAdmin ? { edit: actionSetId } : { runsOf: actionSetId }}
              size="sm"
            >
              {actionSet.name}
            </TextLink>
          ) : (
            `${actionSet.name} (deleted)`
          )}
        </Fact>
        <Fact name={trigger === 'take-back' ? 'By' : 'Service account'}>
          {by ?? `Account ${actionSet.actorId} (deleted)`}
        </Fact>
        <Fact name="When">
          <RelativeTime at={createdAt} />
          {trigger === 'signal' &&
            `, ${formatDuration(Date.parse(createdAt) - Date.parse(signal.createdAt))} after the signal`}
        </Fact>
        {trigger === 'silence' && (
          <Fact name="Cause">{signal.normalized?.title ?? 'The endpoint fell silent, or its silence ended'}</Fact>
        )}
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

/** Lists the other runs of the same signal and set. */
function Others({ run }: { readonly run: RunDetail }) {
  const others = run.siblings.filter(({ id }) => id !== run.id);
  if (others.length === 0) return null;
  return (
    <Fact name="Other runs of the signal">
      <Stack gap={4}>
        {others.slice(0, maxShown).map((other) => (
          <Group key={other.id} gap="xs">
            <RunLink id={other.id} />
            <RunState run={other} />
          </Group>
        ))}
        {others.length > maxShown && <Text size="sm">and {others.length - maxShown} more</Text>}
      </Stack>
    </Fact>
  );
}

/**
 * Says why a run has no filter results: the user may not see them, its signal is deleted, or the payload has no
 * elements.
 */
export function NoFilterResults({ run: { signal, actionSet } }: { readonly run: RunDetail }) {
  const isReader = useMay()(payloadPermission);
  if (signal.deleted === null && !isReader)
    return <HiddenPayload>The results of the filters are hidden.</HiddenPayload>;
  return (
    <Muted>
      {signal.payload === null
        ? 'The signal has been deleted.'
        : `The payload has no elements at ${actionSet.match.forEach}.`}
    </Muted>
  );
}

/** The signal of a run, with a link to everything it caused. */
export function RunSignal({ run: { signal, signalId } }: { readonly run: RunDetail }) {
  const isReader = useMay()(payloadPermission);
  return (
    <SectionCard
      title="Signal"
      description={
        <TextLink to="/history" search={{ received: signalId }} size="sm">
          Signal {signalId}
        </TextLink>
      }
    >
      {signal.deleted !== null ? (
        <DeletedPayload digest={signal.deleted} />
      ) : !isReader ? (
        <HiddenPayload />
      ) : signal.payload === null ? (
        <Muted>The payload is null or has been deleted.</Muted>
      ) : (
        <Payload title="Payload" value={signal.payload} />
      )}
    </SectionCard>
  );
}

/** The events of a run. */
export function RunEvents({ run: { events, signalId, shadow } }: { readonly run: RunDetail }) {
  return (
    <SectionCard title="Events">
      {events.length === 0 && <Muted>{shadow ? 'Shadow mode: the run changed nothing.' : 'No changes.'}</Muted>}
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
              <Hint>{readableAuthor(createdBy)}</Hint>
            </Group>
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}
