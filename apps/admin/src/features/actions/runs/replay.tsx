import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { StoredActionSet } from '../../../entities/actions/action-queries.ts';
import { api } from '../../../lib/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { DryRunResult } from '../dry-run/dry-run-result.tsx';
import { bodyOfStored } from '../dry-run/saved-set-body.ts';

const dryRunCall = 'POST /api/admin/projects/:projectId/actions/rehearse';

interface Props {
  readonly set: StoredActionSet;
  readonly signalId: number;
  readonly onClose: () => void;
}

/** Replays a stored signal on a set, after showing a dry run. */
export function Replay({ set, signalId, onClose }: Props) {
  const navigate = useNavigate();
  const { project: projectId } = set;
  const looking = useQuery({
    queryKey: [dryRunCall, set.id, signalId],
    queryFn: () => api(dryRunCall, { params: { projectId }, body: { set: bodyOfStored(set), signalId } }),
    gcTime: 0,
  });
  return (
    <Confirm
      title={`Replay signal ${signalId} on ${set.name}?`}
      action="Replay"
      color="sea"
      size="lg"
      disabled={looking.isPending}
      run={async () => {
        const { actionSetEvents: runs } = await api('POST /api/admin/projects/:projectId/actions/:actionSetId/replay', {
          params: { projectId, actionSetId: set.id },
          body: { signalId },
        });
        const first = runs.at(-1);
        if (first === undefined) {
          notifications.show({ message: 'Nothing ran: the signal does not match the filters.' });
          return;
        }
        notifications.show({
          message: runs.length === 1 ? `Replayed as run ${first.id}.` : `Replayed as ${runs.length} runs.`,
        });
        await navigate({
          to: '/projects/$projectId/actions/$setId/runs/$runId',
          params: { projectId, setId: String(set.id), runId: String(first.id) },
        });
      }}
      changes={['GET /api/admin/action-runs', 'GET /api/admin/action-runs/:runId', 'GET /api/admin/search/events']}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          The signal is handled as if it arrived now, as the service account, even if the action is disabled. All guards
          except the quorum and the hours apply. The preview below does not check guards that depend on earlier runs.
        </Text>
        <Loaded query={looking} rows={3}>
          {(dryRun) => <DryRunResult projectId={projectId} dryRun={dryRun} forEach={set.match.forEach} />}
        </Loaded>
      </Stack>
    </Confirm>
  );
}
