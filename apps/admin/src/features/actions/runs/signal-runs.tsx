import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoredActionSet } from '../../../entities/actions/action-queries.ts';
import { RunLink } from '../../../entities/runs/run-link.tsx';
import { runsOfSignalQuery } from '../../../entities/runs/run-queries.ts';
import { RunState } from '../../../entities/runs/run-state.tsx';
import { useEachNewer } from '../../../lib/activity.ts';
import { apiQuery } from '../../../lib/api-query.ts';
import { holdsSomewhere, meQuery, useMay } from '../../../lib/me.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Muted, Strong } from '../../../ui/text.tsx';
import { Replay } from './replay.tsx';

const setsOfEndpointQuery = (signalEndpointId: number) =>
  apiQuery(
    'GET /api/admin/signal-endpoints/:signalEndpointId/actions',
    { params: { signalEndpointId } },
    ({ actions }) => actions,
  );

/** Lists the runs of a signal that the user may see. Administrators get a menu that replays the signal. */
export function SignalRuns({ signalId, endpointId }: { readonly signalId: number; readonly endpointId: number }) {
  const { data: me } = useQuery(meQuery);
  if (me === undefined || !holdsSomewhere(me.permissions, ['READ_ACTIONS'])) return null;
  return <Runs signalId={signalId} endpointId={endpointId} />;
}

function Runs({ signalId, endpointId }: { readonly signalId: number; readonly endpointId: number }) {
  const may = useMay();
  const runs = useQuery(runsOfSignalQuery(signalId));
  // Actions may run after the signal is already shown here.
  useEachNewer('runs', runs.refetch);
  return (
    <Stack gap="xs" component="section" aria-label="Runs">
      <Group justify="space-between" gap="xs">
        <Strong>Runs</Strong>
        {may('ADMIN') && <ReplayMenu signalId={signalId} endpointId={endpointId} />}
      </Group>
      <Loaded query={runs} rows={1}>
        {(list) =>
          list.length === 0 ? (
            <Muted>No actions matched.</Muted>
          ) : (
            <Stack gap={6}>
              {list.map((run) => (
                <Group key={run.id} gap="xs">
                  <RunLink id={run.id} />
                  <RunState run={run} />
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {run.name} in {run.project}
                    {run.element !== null && `, element ${run.element}`}
                  </Text>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}

function ReplayMenu({ signalId, endpointId }: { readonly signalId: number; readonly endpointId: number }) {
  const { data: sets = [] } = useQuery({ ...setsOfEndpointQuery(endpointId) });
  const [chosen, setChosen] = useState<StoredActionSet>();
  if (sets.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconPlayerTrackNext size={14} aria-hidden />}>
            Replay on…
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {sets.map((set) => (
            <Menu.Item key={set.id} onClick={() => setChosen(set)}>
              {set.name} in {set.project}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen !== undefined && <Replay set={chosen} signalId={signalId} onClose={() => setChosen(undefined)} />}
    </>
  );
}
