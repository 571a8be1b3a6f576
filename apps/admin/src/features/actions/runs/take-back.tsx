import { Alert, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { failureText } from '../../../entities/holds/failures-of.ts';
import { firstHours, KeepOffSelect, keepAutomationOff } from '../../../entities/holds/keep-off.tsx';
import type { RunDetail } from '../../../entities/runs/run-queries.ts';
import { api } from '../../../lib/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Permitted } from '../../../ui/permitted.tsx';
import { Changes } from './executed-actions.tsx';

const prospect = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back/rehearse';

/** Takes a run back, after showing the changes that this makes or why it is not possible. */
export function TakeBack({ run }: { readonly run: RunDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Permitted needs="ADMIN">
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          onClick={() => setIsOpen(true)}
          disabled={run.events.length === 0 || run.takenBackByRunId !== null}
        >
          Take back
        </Button>
      </Permitted>
      {isOpen && <TakeBackDialog run={run} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function TakeBackDialog({ run, onClose }: { readonly run: RunDetail; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const params = { projectId: run.project, actionSetId: run.actionSetId, runId: run.id };
  const looking = useQuery({
    queryKey: [prospect, run.id],
    queryFn: () => api(prospect, { params }),
    // Not cached: the preview depends on the current flags.
    gcTime: 0,
  });
  const [hours, setHours] = useState(firstHours);
  const places = (looking.data?.changes ?? []).flatMap(({ featureName, environment }) =>
    featureName === null || environment === null ? [] : [{ project: run.project, featureName, environment }],
  );
  return (
    <Confirm
      title={`Take back run ${run.id}?`}
      action="Take back"
      disabled={looking.data?.refused !== null}
      run={async () => {
        // Places the overrides first, so that no signal can do the same again in between.
        const failures = await keepAutomationOff(places, hours, `Run ${run.id} was taken back`);
        const { id } = await api('POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back', {
          params,
        });
        const failed = failures.length === 0 ? '' : ` Automation was not kept off: ${failureText(failures, 'flag')}`;
        notifications.show({ message: `Run ${run.id} is taken back by run ${id}.${failed}` });
        const to = { projectId: run.project, setId: String(run.actionSetId), runId: String(id) };
        await navigate({ to: '/projects/$projectId/actions/$setId/runs/$runId', params: to });
      }}
      changes={[
        'GET /api/admin/action-runs/:runId',
        'GET /api/admin/search/events',
        'GET /api/admin/automation-overrides',
      ]}
      onClose={onClose}
    >
      <Loaded query={looking} rows={2}>
        {({ changes, refused }) => (
          <Stack gap="sm">
            {refused !== null && (
              <Alert color="yellow" variant="light" title="This run cannot be taken back">
                {refused}
              </Alert>
            )}
            {changes.length > 0 && <Changes title="Changes in your name" changes={changes} />}
            {refused === null && places.length > 0 && <KeepOffSelect value={hours} onChange={setHours} />}
            {refused === null && changes.length === 0 && <Text size="sm">This would change nothing any more.</Text>}
          </Stack>
        )}
      </Loaded>
    </Confirm>
  );
}
