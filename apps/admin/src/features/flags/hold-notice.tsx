import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { meQuery, useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { useReview } from '../change-requests/use-reviewed-change.ts';
import { type Flag, type FlagEnvironment, useFlagAction } from './flag-queries.ts';
import { type Hold, HoldAlert } from './hold-alert.tsx';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project'>;
  readonly state: FlagEnvironment;
}

/** Shows the hold on a flag in an environment, with a button that releases it. */
export function HoldNotice({ flag, state }: Props) {
  const { lease: hold } = state;
  if (hold === null) return null;
  return (
    <HoldAlert hold={hold} configuredOn={state.enabled}>
      <Release flag={flag} environment={state.name} hold={hold} />
    </HoldAlert>
  );
}

interface ReleaseProps extends Pick<Props, 'flag'> {
  readonly environment: string;
  readonly hold: Hold;
}

function Release({ flag, environment, hold }: ReleaseProps) {
  const release = useFlagAction(
    () =>
      api('DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId', {
        params: { projectId: flag.project, featureName: flag.name, environment, leaseId: hold.id },
      }),
    () => notifications.show({ message: `Released ${flag.name} in ${environment}.` }),
  );
  if (!useMayRelease(flag.project, environment, hold))
    return (
      <Text size="sm">
        Review is required here. Only {hold.heldBy.name} and users with the permission SKIP_CHANGE_REQUEST in{' '}
        {environment} can release this hold.
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

/**
 * Returns whether the reader may release a hold. Where review is required, only its holder may release a person's hold.
 */
function useMayRelease(projectId: string, environment: string, { heldBy }: Hold): boolean {
  const may = useMay();
  const { data: me } = useQuery(meQuery);
  const { reviewed } = useReview({ projectId, environment });
  if (heldBy.kind !== 'person' || !reviewed || heldBy.userId === me?.user.id) return true;
  return may('SKIP_CHANGE_REQUEST', { project: projectId, environment });
}
