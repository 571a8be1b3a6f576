import { Accordion, Alert, Anchor, Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Payload } from '../../ui/payload.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { ActionRun, ActionSet } from './action-queries.ts';
import { objectOf } from './action-table.tsx';

const pageSize = 20;

interface Props {
  readonly projectId: string;
  readonly set: ActionSet;
  readonly onClose: () => void;
  readonly onConfigure: () => void;
}

/** What signals have set off, the last first; new runs appear by themselves. */
export function ActionRuns({ projectId, set, onClose, onConfigure }: Props) {
  const runs = useInfiniteQuery({
    queryKey: ['GET /api/admin/projects/:projectId/actions/:actionSetId/events', projectId, set.id],
    queryFn: async ({ pageParam }) => {
      const { actionSetEvents } = await api('GET /api/admin/projects/:projectId/actions/:actionSetId/events', {
        params: { projectId, actionSetId: set.id },
        query: { limit: String(pageSize), offset: String(pageParam) },
      });
      return actionSetEvents;
    },
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
    refetchInterval: 5_000,
  });
  const shown = [...new Map(runs.data?.pages.flat().map((run) => [run.id, run])).values()];
  return (
    <Drawer opened onClose={onClose} position="right" size={820} title={`Events: ${set.name}`}>
      <Stack>
        <Anchor component="button" type="button" size="sm" onClick={onConfigure} style={{ alignSelf: 'flex-start' }}>
          View configuration
        </Anchor>
        <Loaded query={runs}>
          {() =>
            shown.length === 0 ? (
              <EmptyState title="No events yet">They appear here when a signal sets the actions off.</EmptyState>
            ) : (
              <Accordion variant="separated" chevronPosition="left">
                {shown.map((run) => (
                  <Run key={run.id} run={run} />
                ))}
              </Accordion>
            )
          }
        </Loaded>
        {runs.hasNextPage && (
          <Button variant="default" onClick={() => void runs.fetchNextPage()} loading={runs.isFetchingNextPage}>
            Load more
          </Button>
        )}
      </Stack>
    </Drawer>
  );
}

const words: Readonly<Record<ActionRun['state'], string>> = {
  started: 'Under way',
  success: 'Done',
  failed: 'Failed',
  skipped: 'Not run',
};

function Run({ run }: { readonly run: ActionRun }) {
  const { id, state, reason, createdAt, shadow, trigger, signal, actionSet } = run;
  const failed = actionSet.actions.filter((one) => one.state !== 'success').length;
  return (
    <Accordion.Item value={String(id)}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Badge
              variant={state === 'failed' ? 'filled' : 'light'}
              color={state === 'failed' ? 'red.9' : 'sea'}
              tt="none"
            >
              {words[state]}
            </Badge>
            {shadow && <Text size="sm">Recorded only</Text>}
            {trigger !== 'signal' && <Text size="sm">{trigger === 'replay' ? 'Run again' : 'Taken back'}</Text>}
          </Group>
          <Text size="sm" c="dimmed" component="span">
            <RelativeTime at={createdAt} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          {reason !== null && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {reason}
            </Text>
          )}
          {state === 'failed' && (
            <Alert color="red" variant="light">
              {failed} out of {actionSet.actions.length} {actionSet.actions.length === 1 ? 'action' : 'actions'} not
              done.
            </Alert>
          )}
          {actionSet.actions.map((action) => (
            <Stack key={action.id} gap={2}>
              <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                {action.action}: {objectOf(action.executionParams)}
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {action.state}
                {action.details !== null && `: ${action.details}`}
                {action.changes.length > 0 &&
                  `, ${action.changes.map(({ featureName, environment }) => [featureName, environment].filter(Boolean).join(' in ')).join('; ')}`}
              </Text>
            </Stack>
          ))}
          <Payload title={`Payload of signal ${signal.id}`} value={signal.payload} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
