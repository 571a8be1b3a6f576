import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type FlagEnvironment, flagQuery, useFlagAction } from '../../entities/flags/flag-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { formatStart } from '../../ui/dates.ts';
import { TextLink } from '../../ui/link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SendWithCurl } from './send-with-curl.tsx';
import type { SampleSender } from './use-sample-sender.ts';

interface Props {
  readonly project: string;
  readonly flag: string;
  readonly environment: string;
  readonly sender: SampleSender;
}

/** Shows the state of the flag live, and sends the alert and its end. */
export function WatchFlag({ project, flag, environment, sender }: Props) {
  const query = useQuery(flagQuery({ projectId: project, featureName: flag }));
  useEachNewer('events', query.refetch);
  const state = query.data?.environments.find(({ name }) => name === environment);
  const isHeld = state !== undefined && state.lease !== null;
  const [wasHeld, setWasHeld] = useState(false);
  useEffect(() => {
    if (isHeld) setWasHeld(true);
  }, [isHeld]);
  if (state === undefined) return null;
  return (
    <Stack>
      <FlagState project={project} flag={flag} state={state} wasHeld={wasHeld} />
      <Group>
        <Button
          variant={isHeld || wasHeld ? 'default' : 'filled'}
          onClick={() => sender.mutate('firing')}
          loading={sender.isPending && sender.variables === 'firing'}
        >
          Send the alert
        </Button>
        <Button
          variant={isHeld ? 'filled' : 'default'}
          onClick={() => sender.mutate('resolved')}
          loading={sender.isPending && sender.variables === 'resolved'}
        >
          Send “resolved”
        </Button>
      </Group>
      <SendWithCurl sender={sender} />
    </Stack>
  );
}

interface StateProps extends Pick<Props, 'project' | 'flag'> {
  readonly state: FlagEnvironment;
  /** Whether the flag has been held while this page was open. */
  readonly wasHeld: boolean;
}

function FlagState({ project, flag, state, wasHeld }: StateProps) {
  const { lease, name } = state;
  const link = (
    <TextLink
      to="/projects/$projectId/features/$featureName"
      params={{ projectId: project, featureName: flag }}
      inherit
      underline="always"
    >
      {flag}
    </TextLink>
  );
  if (lease !== null)
    return (
      <Alert color="orange" icon={<IconLock aria-hidden />} title="The alert holds the flag" role="status">
        {link} is held {lease.effect} in {name} since <RelativeTime at={lease.placedAt} format={formatStart} />.{' '}
        {lease.reason}
      </Alert>
    );
  const words = state.enabled ? 'on' : 'off';
  return (
    <Alert
      color={wasHeld ? 'green' : 'gray'}
      icon={<IconLockOpen aria-hidden />}
      title={wasHeld ? 'The flag is back' : 'The flag is in its own state'}
      role="status"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" component="div">
          {link} is {words} in {name}
          {wasHeld && (
            <>
              . Everything that happened is in the{' '}
              <TextLink to="/history" inherit underline="always">
                event log
              </TextLink>
              , and held flags are on the page{' '}
              <TextLink to="/personal" inherit underline="always">
                Now
              </TextLink>
            </>
          )}
          .
        </Text>
        {words === 'off' && <SwitchOn project={project} flag={flag} environment={name} />}
      </Stack>
    </Alert>
  );
}

function SwitchOn({ project, flag, environment }: Pick<Props, 'project' | 'flag' | 'environment'>) {
  const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  const params = { projectId: project, featureName: flag, environment };
  const action = useFlagAction(() => api(route, { params }));
  return (
    <Permitted needs="UPDATE_FEATURE_ENVIRONMENT" place={{ project, environment }}>
      <Button size="xs" variant="default" onClick={() => action.mutate(undefined)} loading={action.isPending}>
        Switch it on, to see the difference
      </Button>
    </Permitted>
  );
}
