import { Alert, Breadcrumbs, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { attentionSubject } from '@yardarm/contract/attention';
import { useState } from 'react';
import { Acknowledge } from '../../../entities/acknowledgements/acknowledge.tsx';
import { actionSetsQuery } from '../../../entities/actions/action-queries.ts';
import { projectOverviewQuery } from '../../../entities/flags/flag-queries.ts';
import { RunLink } from '../../../entities/runs/run-link.tsx';
import type { RunDetail } from '../../../entities/runs/run-queries.ts';
import { runQuery } from '../../../entities/runs/run-queries.ts';
import { RunState } from '../../../entities/runs/run-state.tsx';
import { useEachNewer } from '../../../lib/activity.ts';
import { holdsSomewhere, meQuery, useMay } from '../../../lib/me.ts';
import { TextLink } from '../../../ui/link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { NotPermitted, Permitted } from '../../../ui/permitted.tsx';
import { SectionCard } from '../../../ui/section-card.tsx';
import { Muted } from '../../../ui/text.tsx';
import { CallAttempts } from './call-attempts.tsx';
import { ExecutedActions } from './executed-actions.tsx';
import { ElementFilterResults } from './filter-results.tsx';
import { Replay } from './replay.tsx';
import { NoFilterResults, RunEvents, RunFacts, RunSignal } from './run-sections.tsx';
import { TakeBack } from './take-back.tsx';

const route = getRouteApi('/projects/$projectId/actions/$setId/runs/$runId');
const shortRoute = getRouteApi('/runs/$runId');

const permission = 'READ_ACTIONS';

/** The page of a run: its signal, its actions, and buttons to replay it or take it back. */
export function RunPage() {
  const { projectId, runId } = route.useParams();
  const isReader = useMay()(permission, { project: projectId });
  const project = useQuery(projectOverviewQuery(projectId));
  const run = useQuery({ ...runQuery(Number(runId)), enabled: isReader });
  // The decision of a person about a run that waits is an event, and no new run.
  useEachNewer(['runs', 'events'], run.refetch, isUnfinished(run.data));
  return (
    <Page
      title={`Run ${runId}`}
      description={
        // Links that wrap to a second line need enough distance to be tapped (WCAG 2.2).
        <Breadcrumbs styles={{ root: { flexWrap: 'wrap', rowGap: 4 }, breadcrumb: { lineHeight: '24px' } }}>
          <TextLink to="/projects/$projectId" params={{ projectId }} size="sm">
            {project.data?.name ?? projectId}
          </TextLink>
          <TextLink to="/projects/$projectId/settings/actions" params={{ projectId }} size="sm">
            Actions
          </TextLink>
          {run.data !== undefined && (
            <TextLink
              to="/projects/$projectId/settings/actions"
              params={{ projectId }}
              search={{ runsOf: run.data.actionSetId }}
              size="sm"
            >
              {run.data.actionSet.name}
            </TextLink>
          )}
        </Breadcrumbs>
      }
      actions={run.data !== undefined && <RunActions run={run.data} />}
    >
      {isReader ? (
        <Loaded query={run}>{(data) => <Body run={data} />}</Loaded>
      ) : (
        <NotPermitted needs={permission} place={{ project: projectId }} />
      )}
    </Page>
  );
}

/**
 * Returns whether a run goes on while its page is open: it waits for a person, it runs, or an outgoing call of it has
 * no answer yet.
 */
function isUnfinished(run: RunDetail | undefined): boolean {
  if (run === undefined) return false;
  const isOpen = run.state === 'waiting' || run.state === 'started';
  return isOpen || run.actionSet.actions.some(({ state }) => state === 'started');
}

/**
 * Redirects from `/runs/12` to the page of run 12. Links of events and holds use the short address, because events and
 * holds have only the id of a run.
 */
export function ShortRunPage() {
  const { runId } = shortRoute.useParams();
  const { data: me } = useQuery(meQuery);
  const isReader = me !== undefined && holdsSomewhere(me.permissions, [permission]);
  const run = useQuery({ ...runQuery(Number(runId)), enabled: isReader });
  if (run.data !== undefined)
    return (
      <Navigate
        to="/projects/$projectId/actions/$setId/runs/$runId"
        params={{ projectId: run.data.project, setId: String(run.data.actionSetId), runId }}
        replace
      />
    );
  return (
    <Page title={`Run ${runId}`}>
      {isReader ? <Loaded query={run}>{() => null}</Loaded> : <NotPermitted needs={permission} />}
    </Page>
  );
}

function RunActions({ run }: { readonly run: RunDetail }) {
  const { data: sets } = useQuery(actionSetsQuery(run.project));
  const [replaying, setReplaying] = useState(false);
  // The set as it is now; it may have changed since the run.
  const set = sets?.find(({ id }) => id === run.actionSetId);
  return (
    <>
      <Permitted needs="ADMIN">
        <Button
          variant="default"
          leftSection={<IconPlayerTrackNext size={16} aria-hidden />}
          onClick={() => setReplaying(true)}
          disabled={set === undefined || run.views.length === 0}
        >
          Replay
        </Button>
      </Permitted>
      <TakeBack run={run} />
      {replaying && set !== undefined && (
        <Replay set={set} signalId={run.signalId} onClose={() => setReplaying(false)} />
      )}
    </>
  );
}

function Body({ run }: { readonly run: RunDetail }) {
  const { id, project, state, reason, shadow, trigger, decideBy, actionSet, views, siblings, takenBackByRunId } = run;
  const { forEach } = actionSet.match;
  const runOf = (element: number) => siblings.findLast((run) => run.element === element && run.trigger !== 'take-back');
  const left = actionSet.actions.filter((action) => action.state !== 'success').length;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <RunState run={run} />
        {takenBackByRunId !== null && (
          <Text size="sm">
            Taken back by <RunLink id={takenBackByRunId}>run {takenBackByRunId}</RunLink>
          </Text>
        )}
        {decideBy !== null && (
          <Acknowledge subjects={[attentionSubject.run(id)]} place={{ project }} of={actionSet.name} />
        )}
      </Group>
      {reason !== null && actionSet.actions.every(({ details }) => details !== reason) && (
        <Alert
          color={state === 'failed' ? 'red' : state === 'skipped' || state === 'waiting' ? 'yellow' : 'gray'}
          variant="light"
        >
          {reason}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="lg">
            <SectionCard
              title="Actions"
              {...(state === 'failed' && left > 0
                ? { description: `${left} of ${actionSet.actions.length} actions did not succeed.` }
                : {})}
            >
              <ExecutedActions projectId={project} actions={actionSet.actions} kind={shadow ? 'shadow' : 'real'} />
            </SectionCard>
            <CallAttempts run={run} />
            <RunEvents run={run} />
            {trigger !== 'take-back' && (
              <SectionCard title="Filters">
                {views.length === 0 && <NoFilterResults run={run} />}
                {views.length > 0 && (
                  <ElementFilterResults
                    views={views}
                    forEach={forEach}
                    beside={(element) => <Beside run={run} element={element} other={runOf(element)?.id} />}
                  />
                )}
              </SectionCard>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="lg">
            <RunFacts run={run} />
            <RunSignal run={run} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** Links to the run that the same signal caused for another element. Says "This run" at the element of this run. */
function Beside({
  run,
  element,
  other,
}: {
  readonly run: RunDetail;
  readonly element: number;
  readonly other: number | undefined;
}) {
  if (element === run.element) return <Muted>This run</Muted>;
  return other === undefined ? null : <RunLink id={other} />;
}
