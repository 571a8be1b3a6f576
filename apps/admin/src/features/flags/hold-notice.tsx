import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { formatStart } from '../../ui/dates.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { HoldingRun } from '../actions/runs/holding-run.tsx';
import { OptionalReason } from '../change-reasons/optional-reason.tsx';
import { releasedWith } from '../now/hold-words.ts';
import { holderAloneText, useHolderAlone } from '../now/use-holder-alone.ts';
import { type Flag, type FlagEnvironment, useFlagAction } from './flag-queries.ts';
import { HoldAlert } from './hold-alert.tsx';
import { type Hold, heldAs } from './hold-words.ts';
import { holdsQuery } from './holds-query.ts';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project'>;
  readonly state: FlagEnvironment;
}

/** Shows the hold on a flag in an environment, with a button that releases it. */
export function HoldNotice({ flag, state }: Props) {
  const { lease: hold } = state;
  if (hold === null) return null;
  return (
    <HoldAlert flag={flag} hold={hold} configuredOn={state.enabled}>
      <Release flag={flag} environment={state.name} hold={hold} />
      <OtherHolds flag={flag} environment={state.name} hold={hold} />
    </HoldAlert>
  );
}

/** Lists the other holds on the flag in the environment, which are not in force. */
function OtherHolds({ flag, environment, hold }: ReleaseProps) {
  const { data } = useQuery(holdsQuery(flag, hold));
  const notInForce = data?.leases.filter((lease) => lease.environment === environment && lease.id !== hold.id) ?? [];
  if (notInForce.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {notInForce.length === 1 ? '1 more hold, not in force' : `${notInForce.length} more holds, not in force`}
      </Text>
      {notInForce.map((lease) => (
        <Group key={lease.id} gap="xs">
          <Text size="sm" component="div">
            {heldAs(lease)} by {lease.heldBy.name}
            {lease.heldBy.runId !== null && (
              <>
                {' '}
                (
                <HoldingRun id={lease.heldBy.runId} project={flag.project} actionSetName={lease.actionSetName} />)
              </>
            )}{' '}
            since <RelativeTime at={lease.placedAt} format={formatStart} />
            {lease.reason !== null && `: ${lease.reason}`}
          </Text>
          <Release flag={flag} environment={environment} hold={lease} />
        </Group>
      ))}
    </Stack>
  );
}

interface ReleaseProps extends Pick<Props, 'flag'> {
  readonly environment: string;
  readonly hold: Hold;
}

function Release({ flag, environment, hold }: ReleaseProps) {
  const [reason, setReason] = useState<string>();
  const release = useFlagAction(
    () =>
      api('DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId', {
        params: { projectId: flag.project, featureName: flag.name, environment, leaseId: hold.id },
        reason,
      }),
    () => notifications.show({ message: `Released ${flag.name} in ${environment}.` }),
  );
  const placed = { ...hold, project: flag.project, environment };
  if (useHolderAlone([placed])(placed)) return <Text size="sm">{holderAloneText(placed)}</Text>;
  return (
    <Group>
      <Permitted needs={releasedWith(hold)} place={{ project: flag.project, environment }}>
        <Button size="xs" onClick={() => release.mutate(undefined)} loading={release.isPending}>
          Release
        </Button>
      </Permitted>
      <OptionalReason value={reason} onChange={setReason} />
    </Group>
  );
}
