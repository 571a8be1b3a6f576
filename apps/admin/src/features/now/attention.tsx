import { Badge, Group, Stack, Text } from '@mantine/core';
import { runStateNames } from '../../entities/actions/action-search.ts';
import type { Now } from '../../entities/holds/now-queries.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { runColors } from '../../entities/runs/run-state.tsx';
import { describeMetric } from '../../entities/safeguards/safeguard-words.ts';
import { useMay } from '../../lib/me.ts';
import { formatStart } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint } from '../../ui/text.tsx';
import { BlockedBadge } from '../actions/index.ts';
import { minutesText, whereText } from '../signals/index.ts';
import { listLimits } from './list-limits.ts';
import { LoopStopped } from './loop.tsx';

/**
 * Lists what needs attention, the newest of each kind: the loop probe while it fails, actions that cannot run, silent
 * endpoints and safeguards without data; from the last 24 hours also runs that wait, failed or were skipped, and
 * endpoints that refused requests.
 */
export function Trouble({ now }: { readonly now: Now }) {
  const { runs, refusals, silent, blocked, safeguardsWithoutData, loop } = now;
  const isStopped = loop !== null && loop.stoppedAt !== null;
  const lists = [runs, refusals, silent, blocked, safeguardsWithoutData];
  if (!isStopped && lists.every((rows) => rows === null || rows.length === 0)) return null;
  const longest = Math.max(...[runs, refusals, blocked, safeguardsWithoutData].map((rows) => rows?.length ?? 0));
  return (
    <SectionCard
      title="Needs attention"
      description={`Now, and in the last 24 hours.${cutText(longest, listLimits.runs)}`}
    >
      <Stack gap="sm">
        {isStopped && <LoopStopped loop={loop} />}
        <BlockedActions blocked={blocked ?? []} />
        {safeguardsWithoutData.map((safeguard) => (
          <WithoutData key={safeguard.impactMetric.id} safeguard={safeguard} />
        ))}
        {silent.map(({ signalEndpointId, name, expectedMinutes, expectedFilters, silentSince }) => (
          <Group key={signalEndpointId} gap="xs">
            <Badge color="red" autoContrast variant="filled">
              Silent
            </Badge>
            <Endpoint id={signalEndpointId} name={name} />
            <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
              No signal{whereText(expectedFilters)} since <RelativeTime at={silentSince} format={formatStart} />. One is
              expected every {minutesText(expectedMinutes)}.
            </Text>
          </Group>
        ))}
        {runs?.map((run) => (
          <TroubledRuns key={run.id} run={run} />
        ))}
        {refusals?.map(({ signalEndpointId, name, reason, count, lastAt }) => (
          <Group key={`${signalEndpointId} ${reason}`} gap="xs">
            <Badge color="orange.4" autoContrast variant="filled">
              Refused
            </Badge>
            <Endpoint id={signalEndpointId} name={name} />
            <Text size="sm">{reason}</Text>
            <Hint component="span">
              last <RelativeTime at={lastAt} />, {count} in all
            </Hint>
          </Group>
        ))}
      </Stack>
    </SectionCard>
  );
}

/** Returns a sentence for a list that may have left out others, with a space before it; else an empty text. */
function cutText(length: number, limit: number): string {
  return length >= limit ? ` At most ${limit} of a kind are listed.` : '';
}

/** Shows the newest run of an action in a state such as failed, and the number of such runs. */
function TroubledRuns({ run }: { readonly run: NonNullable<Now['runs']>[number] }) {
  const { id, actionSetId, name, project, state, reason, createdAt, count } = run;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color={runColors[state]} autoContrast variant="filled">
          {runStateNames[state]}
        </Badge>
        <RunLink id={id}>{name}</RunLink>
        <Hint component="span">
          {project}, <RelativeTime at={createdAt} />
          {count > 1 && `, the newest of ${count} within a day`}
        </Hint>
        {count > 1 && (
          <TextLink
            to="/projects/$projectId/settings/actions"
            params={{ projectId: project }}
            search={{ runsOf: actionSetId, state }}
            size="xs"
            underline="always"
          >
            {runStateNames[state]} runs
          </TextLink>
        )}
      </Group>
      {reason !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      )}
    </Stack>
  );
}

/** Shows a safeguard that sees nothing, so that its plan stands still, or nothing guards its flag. */
function WithoutData({ safeguard }: { readonly safeguard: Now['safeguardsWithoutData'][number] }) {
  const { project, featureName, environment, planId, impactMetric, triggerCondition, reason, since } = safeguard;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color="orange.4" autoContrast variant="filled">
          No data
        </Badge>
        <FlagLink projectId={project} featureName={featureName} />
        <Text size="sm">in {environment}</Text>
        <Hint component="span">
          {project}, since <RelativeTime at={since} format={formatStart} />
        </Hint>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        The safeguard sees no value of {describeMetric(impactMetric, triggerCondition)}.{' '}
        {planId === null ? 'Nothing guards the flag.' : 'Its release plan starts no milestone.'} {reason}
      </Text>
    </Stack>
  );
}

/** Shows the name of an endpoint, as a link for users who can open its page. */
function Endpoint({ id, name }: { readonly id: number; readonly name: string }) {
  const isAdmin = useMay()('ADMIN');
  if (!isAdmin) return <Text size="sm">{name}</Text>;
  return (
    <TextLink to="/integrations/signals" search={{ edit: id }} size="sm" underline="always">
      {name}
    </TextLink>
  );
}

function BlockedActions({ blocked }: { readonly blocked: NonNullable<Now['blocked']> }) {
  const isAdmin = useMay()('ADMIN');
  return blocked.map(({ actionSetId, name, project, reason, blockedSince }) => (
    <Stack key={actionSetId} gap={2}>
      <Group gap="xs">
        <BlockedBadge />
        <TextLink
          to="/projects/$projectId/settings/actions"
          params={{ projectId: project }}
          search={isAdmin ? { edit: actionSetId } : { runsOf: actionSetId }}
          size="sm"
          underline="always"
        >
          {name}
        </TextLink>
        <Hint component="span">
          {project}, since <RelativeTime at={blockedSince} format={formatStart} />
        </Hint>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
    </Stack>
  ));
}

/** Change requests that wait for the user, and those that are applied within a day. */
export function Requests({ now: { waitingForMe, scheduled } }: { readonly now: Now }) {
  if (waitingForMe.length + scheduled.length === 0) return null;
  const longest = Math.max(waitingForMe.length, scheduled.length);
  const rows = [
    ...waitingForMe.map((request) => ({ ...request, word: 'Waits for you' })),
    ...scheduled.map((request) => ({ ...request, word: 'Scheduled' })),
  ];
  return (
    <SectionCard
      title="Change requests"
      description={`Waiting for you, or applied within the next 24 hours.${cutText(longest, listLimits.waitingForMe)}`}
    >
      <Stack gap="xs">
        {rows.map(({ id, project, environment, title, word, scheduledAt }) => (
          <Group key={`${word} ${id}`} gap="xs">
            <Badge color={word === 'Scheduled' ? 'gray' : 'sea'}>{word}</Badge>
            <TextLink
              to="/projects/$projectId/change-requests/$id"
              params={{ projectId: project, id: String(id) }}
              size="sm"
              underline="always"
            >
              {title}
            </TextLink>
            <Hint component="span">
              {project}, {environment}
              {scheduledAt !== null && (
                <>
                  , <RelativeTime at={scheduledAt} ahead />
                </>
              )}
            </Hint>
          </Group>
        ))}
      </Stack>
    </SectionCard>
  );
}
