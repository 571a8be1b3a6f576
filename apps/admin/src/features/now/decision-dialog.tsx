import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { effectOf } from '../../entities/holds/hold-words.ts';
import type { Undecided } from '../../entities/holds/now-queries.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { runQuery } from '../../entities/runs/run-queries.ts';
import { RunState } from '../../entities/runs/run-state.tsx';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { requireWhy, WhyField } from './why-field.tsx';

/** The decision of a person about a hold that waits. */
export type Decision = 'hold-now' | 'drop';

const words = {
  'hold-now': { title: 'Hold now?', action: 'Hold now', color: 'sea' },
  drop: { title: 'Drop this hold?', action: 'Drop', color: 'red' },
} as const;

interface Props {
  readonly run: Undecided;
  readonly decision: Decision;
  /** Whether the run no longer waits: another person decided, or its alert was reported again or has ended. */
  readonly isDecided: boolean;
  readonly onClose: () => void;
}

/** Asks for the reason to place or drop a hold that waits. Shows the outcome instead when the run no longer waits. */
export function DecisionDialog({ run, decision, isDecided, onClose }: Props) {
  const { title, action, color } = words[decision];
  const { project: projectId, actionSetId, runId } = run;
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: requireWhy },
  });
  const route = `POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/${decision}` as const;
  const saving = useSaving(form, {
    save: ({ reason }) => api(route, { params: { projectId, actionSetId, runId }, body: { reason } }),
    changes: ['GET /api/admin/now', 'GET /api/admin/leases'],
    onSaved: ({ state, reason }) => {
      const held = state === 'success' ? 'Flags are held' : `Not held: ${reason ?? state}`;
      notifications.show({ message: decision === 'drop' ? 'Hold dropped' : held });
      onClose();
    },
  });
  // The run also leaves the list while the decision of this user is being saved.
  if (isDecided && !saving.pending)
    return (
      <Dialog title={title} onClose={onClose}>
        <DecidedMeanwhile runId={runId} onClose={onClose} />
      </Dialog>
    );
  return (
    <FormDialog title={title} save={action} color={color} saving={saving} onClose={onClose}>
      <DecidedHolds run={run} decision={decision} />
      <WhyField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

function DecidedHolds({ run: { holds }, decision }: Pick<Props, 'run' | 'decision'>) {
  return (
    <>
      <List size="sm">
        {holds.map((hold) => (
          <List.Item key={`${hold.environment} ${hold.featureName}`} style={{ overflowWrap: 'anywhere' }}>
            <b>{hold.featureName}</b> in {hold.environment}: {decision === 'drop' ? 'is not held' : 'is held'}{' '}
            {effectOf(hold)}
          </List.Item>
        ))}
      </List>
      {decision === 'drop' && <Text size="sm">The action holds the flags when the alert is reported again.</Text>}
    </>
  );
}

/** Shows the outcome of a run that no longer waits. */
function DecidedMeanwhile({ runId, onClose }: { readonly runId: number; readonly onClose: () => void }) {
  const { data } = useQuery({ ...runQuery(runId), staleTime: 0 });
  return (
    <Stack>
      <Alert color="yellow" variant="light" role="alert" title="This has been decided meanwhile">
        <Group gap="xs">
          <RunLink id={runId} />
          {data !== undefined && <RunState run={data} />}
        </Group>
        {data?.reason}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  );
}
