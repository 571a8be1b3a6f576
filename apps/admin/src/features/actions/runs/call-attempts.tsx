import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { RunDetail } from '../../../entities/runs/run-queries.ts';
import { api } from '../../../lib/api.ts';
import { Attempt } from '../../../ui/attempt.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Permitted } from '../../../ui/permitted.tsx';
import { SectionCard } from '../../../ui/section-card.tsx';
import { Muted } from '../../../ui/text.tsx';
import { useChange } from '../../../ui/use-change.ts';

const attemptsRoute = 'GET /api/admin/action-runs/:runId/attempts';
const redeliverRoute = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/redeliver';

/** Shows the attempts to send the calls of a run, with a button that sends failed calls again. */
export function CallAttempts({ run }: { readonly run: RunDetail }) {
  const calls = run.actionSet.actions.flatMap(({ call }) => (call === null || call.state === 'not sent' ? [] : call));
  // Loads the list again on each change. The number of attempts grows when an attempt begins, but the list has an
  // attempt only when it has ended, so the key of the query has the state of each call too.
  const progress = calls.map(({ attempts, state }) => `${attempts} ${state}`);
  const attempts = useQuery({
    queryKey: [attemptsRoute, run.id, progress],
    queryFn: () => api(attemptsRoute, { params: { runId: run.id } }),
    enabled: calls.length > 0,
  });
  const redeliver = useChange({
    run: () => api(redeliverRoute, { params: { projectId: run.project, actionSetId: run.actionSetId, runId: run.id } }),
    changes: ['GET /api/admin/action-runs/:runId'],
    onDone: ({ redelivered }) =>
      notifications.show({
        message: redelivered === 1 ? '1 call is sent again.' : `${redelivered} calls are sent again.`,
      }),
  });
  if (calls.length === 0) return null;
  return (
    <SectionCard
      title="Attempts"
      description="The receiver gets the same webhook-id with each attempt."
      actions={
        calls.some(({ state }) => state === 'failed') && (
          <Permitted needs="ADMIN">
            <Button size="xs" variant="default" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
              Redeliver failed calls
            </Button>
          </Permitted>
        )
      }
    >
      <Loaded query={attempts} rows={1}>
        {(data) => (
          <Stack gap="sm">
            {data.attempts.length === 0 && <Muted>Not sent yet, or longer than 30 days ago.</Muted>}
            {data.attempts.map((attempt) => (
              <Attempt key={`${attempt.actionId} ${attempt.attemptedAt}`} attempt={attempt} />
            ))}
          </Stack>
        )}
      </Loaded>
    </SectionCard>
  );
}
