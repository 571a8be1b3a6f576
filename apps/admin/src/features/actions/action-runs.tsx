import { Anchor, Card, Group, Select, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ActionRun, ActionSet } from '../../entities/actions/action-queries.ts';
import { type RunStateName, runStateNames } from '../../entities/actions/action-search.ts';
import { RunState } from '../../entities/runs/run-state.tsx';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { SidePanel } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Muted } from '../../ui/text.tsx';
import { BlockedAlert } from './blocked.tsx';

const pageSize = 20;

interface Props {
  readonly projectId: string;
  readonly set: ActionSet;
  /** Shows only runs in this state. */
  readonly state: RunStateName | undefined;
  readonly onState: (state: RunStateName | undefined) => void;
  readonly onClose: () => void;
  readonly onConfigure: () => void;
}

/** Lists the runs of an action set, newest first. New runs appear automatically. */
export function ActionRuns({ projectId, set, state, onState, onClose, onConfigure }: Props) {
  const may = useMay();
  const runs = useInfiniteQuery({
    queryKey: ['GET /api/admin/projects/:projectId/actions/:actionSetId/events', projectId, set.id, state],
    queryFn: async ({ pageParam }) => {
      const { actionSetEvents } = await api('GET /api/admin/projects/:projectId/actions/:actionSetId/events', {
        params: { projectId, actionSetId: set.id },
        query: { limit: String(pageSize), offset: String(pageParam), state },
      });
      return actionSetEvents;
    },
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
  });
  useEachNewer('runs', runs.refetch);
  const shown = [...new Map(runs.data?.pages.flat().map((run) => [run.id, run])).values()];
  return (
    <SidePanel onClose={onClose} size={820} title={`Runs: ${set.name}`}>
      <Stack>
        <BlockedAlert blocked={set.blocked} />
        {may('ADMIN') && (
          <Anchor component="button" type="button" size="sm" onClick={onConfigure} style={{ alignSelf: 'flex-start' }}>
            View configuration
          </Anchor>
        )}
        <Select
          label="State"
          placeholder="All runs"
          clearable
          data={Object.entries(runStateNames).map(([value, label]) => ({ value, label }))}
          value={state ?? null}
          onChange={(chosen) => onState((chosen ?? undefined) as RunStateName | undefined)}
        />
        <Loaded query={runs}>
          {() =>
            shown.length === 0 ? (
              <NoRuns state={state} />
            ) : (
              <Stack gap="xs">
                {shown.map((run) => (
                  <Run key={run.id} projectId={projectId} run={run} />
                ))}
              </Stack>
            )
          }
        </Loaded>
        <LoadMore query={runs} />
      </Stack>
    </SidePanel>
  );
}

function NoRuns({ state }: { readonly state: RunStateName | undefined }) {
  if (state === undefined) return <EmptyState title="No runs yet">Runs appear here when a signal matches.</EmptyState>;
  return <EmptyState title="No runs match">There are no runs in the state “{runStateNames[state]}”.</EmptyState>;
}

function Run({ projectId, run }: { readonly projectId: string; readonly run: ActionRun }) {
  const { id, createdAt, signalId, element, actionSetId } = run;
  return (
    <Card withBorder padding="sm">
      <Stack gap={4}>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <TextLink
              to="/projects/$projectId/actions/$setId/runs/$runId"
              params={{ projectId, setId: String(actionSetId), runId: String(id) }}
              size="sm"
              fw={550}
            >
              Run {id}
            </TextLink>
            <RunState run={run} />
          </Group>
          <Muted component="span">
            <RelativeTime at={createdAt} />
          </Muted>
        </Group>
        <Muted style={{ overflowWrap: 'anywhere' }}>{outcomeOf(run)}</Muted>
        <Hint>
          Signal {signalId}
          {element !== null && `, element ${element}`}
        </Hint>
      </Stack>
    </Card>
  );
}

/** Returns the outcome of a run in one line: why it was skipped, what failed, or what it changed. */
function outcomeOf({ reason, actionSet: { actions } }: ActionRun): string {
  if (reason !== null) return reason;
  const failed = actions.find(({ state }) => state === 'failed');
  if (failed?.details != null) return failed.details;
  const changed = actions.flatMap(({ changes }) => changes);
  if (changed.length === 0) return 'No changes.';
  const named = changed.map(({ label, featureName, environment }) =>
    [label, featureName, environment].filter(Boolean).join(' · '),
  );
  return [...new Set(named)].join('; ');
}
