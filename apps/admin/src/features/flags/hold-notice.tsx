import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { meQuery, useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { useReview } from '../change-requests/use-change.ts';
import { type Flag, type FlagEnvironment, useFlagAction } from './flag-queries.ts';
import { type Lease, LeaseAlert } from './hold-alert.tsx';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project'>;
  readonly state: FlagEnvironment;
}

/** Shows the lease that holds a flag in an environment, with a button that releases it. */
export function LeaseNotice({ flag, state }: Props) {
  const { lease } = state;
  if (lease === null) return null;
  return (
    <LeaseAlert lease={lease} configuredOn={state.enabled}>
      <Release flag={flag} environment={state.name} lease={lease} />
    </LeaseAlert>
  );
}

interface ReleaseProps extends Pick<Props, 'flag'> {
  readonly environment: string;
  readonly lease: Lease;
}

function Release({ flag, environment, lease }: ReleaseProps) {
  const release = useFlagAction(
    () =>
      api('DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId', {
        params: { projectId: flag.project, featureName: flag.name, environment, leaseId: lease.id },
      }),
    () => notifications.show({ message: `${flag.name} is let go in ${environment}.` }),
  );
  if (!useMayEnd(flag.project, environment, lease))
    return (
      <Text size="sm">
        Changes are reviewed here. Only {lease.heldBy.name} and people with the permission SKIP_CHANGE_REQUEST in{' '}
        {environment}, can release this lease.
      </Text>
    );
  return (
    <Group>
      <Permitted needs="UPDATE_FEATURE_ENVIRONMENT" place={{ project: flag.project, environment }}>
        <Button size="xs" onClick={() => release.mutate(undefined)} loading={release.isPending}>
          Release
        </Button>
      </Permitted>
    </Group>
  );
}

/** Whether the reader may end the lease, apart from switching the flag: where changes are reviewed, a person's lease is that person's. */
function useMayEnd(projectId: string, environment: string, { heldBy }: Lease): boolean {
  const may = useMay();
  const { data: me } = useQuery(meQuery);
  const { reviewed } = useReview({ projectId, environment });
  if (heldBy.kind !== 'person' || !reviewed || heldBy.userId === me?.user.id) return true;
  return may('SKIP_CHANGE_REQUEST', { project: projectId, environment });
}
