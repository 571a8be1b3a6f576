import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLock } from '@tabler/icons-react';
import { api } from '../../lib/api.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RunLink } from '../actions/runs/run-link.tsx';
import { type Flag, type FlagEnvironment, useFlagAction } from './flag-queries.ts';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project'>;
  readonly state: FlagEnvironment;
}

/** What a lease makes of a flag: "held off", "held at 20 %". */
function heldAs({ effect, rollout }: NonNullable<FlagEnvironment['lease']>): string {
  return effect === 'rollout' ? `held at ${rollout ?? 0} %` : `held ${effect}`;
}

/** Says that a flag is held in another state than the configured one, by whom and since when, and lets it go. */
export function LeaseNotice({ flag, state }: Props) {
  const { lease } = state;
  const release = useFlagAction(
    (leaseId: number) =>
      api('DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId', {
        params: { projectId: flag.project, featureName: flag.name, environment: state.name, leaseId },
      }),
    () => notifications.show({ message: `${flag.name} is let go in ${state.name}.` }),
  );
  if (lease === null) return null;
  return (
    <Alert
      color="orange"
      icon={<IconLock size={18} aria-hidden />}
      title={`Configured ${state.enabled ? 'on' : 'off'}, ${heldAs(lease)} by ${lease.heldBy.name}`}
    >
      <Stack gap="xs">
        <Text size="sm" component="div">
          Since <RelativeTime at={lease.placedAt} />
          {lease.expiresAt === null ? (
            ', until it is released'
          ) : (
            <>
              , until <RelativeTime at={lease.expiresAt} />
            </>
          )}
          {lease.heldBy.runId !== null && (
            <>
              , by <RunLink id={lease.heldBy.runId}>run {lease.heldBy.runId}</RunLink> of an action
            </>
          )}
          . SDKs get that, whatever is configured here.
        </Text>
        {lease.reason !== null && <Text size="sm">{lease.reason}</Text>}
        <Group>
          <Permitted needs="UPDATE_FEATURE_ENVIRONMENT" place={{ project: flag.project, environment: state.name }}>
            <Button size="xs" onClick={() => release.mutate(lease.id)} loading={release.isPending}>
              Release
            </Button>
          </Permitted>
        </Group>
      </Stack>
    </Alert>
  );
}
