import { Alert, Group, Loader, Text } from '@mantine/core';
import { IconCheck, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FlagParams } from '../../entities/flags/flag-queries.ts';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { Connection } from './connection-queries.ts';
import { connectionsQuery } from './connection-queries.ts';
import { type ConnectionState, connectionState, formatEvaluated, sdkName } from './connection-state.ts';

interface Props {
  readonly flag: FlagParams;
  readonly environment: string;
}

/** The intervals of requests in milliseconds: until the flag has been evaluated, and afterwards. */
const [waitingMs, idleMs] = [2000, 15_000];

/** Shows live whether an application has evaluated the flag in an environment, as the server has seen it. */
export function ConnectionStatus({ flag, environment }: Props) {
  const connections = useQuery({
    ...connectionsQuery(flag),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && connectionState(data, environment).step === 'evaluated' ? idleMs : waitingMs,
  });
  const state = connections.data === undefined ? undefined : connectionState(connections.data, environment);
  return (
    <div role="status" aria-label="Connection">
      <Status state={state ?? { step: 'waiting' }} featureName={flag.featureName} environment={environment} />
    </div>
  );
}

interface StatusProps {
  readonly state: ConnectionState;
  readonly featureName: string;
  readonly environment: string;
}

function Status({ state, featureName, environment }: StatusProps) {
  switch (state.step) {
    case 'evaluated':
      return (
        <Alert color="green" icon={<IconCheck aria-hidden />}>
          <ApplicationName application={state.application} /> evaluated <b>{featureName}</b>{' '}
          <RelativeTime at={state.at} format={formatEvaluated} />.
        </Alert>
      );
    case 'reporting':
      return (
        <Alert color="blue" icon={<IconPlugConnected aria-hidden />}>
          {state.applications.map((application) => (
            <div key={application.appName}>
              <Report application={application} featureName={featureName} />
            </div>
          ))}
          SDKs report evaluations about once a minute: waiting for the first one of <b>{featureName}</b>…
        </Alert>
      );
    case 'token used':
      return (
        <Alert color="blue" icon={<IconPlugConnected aria-hidden />}>
          A token of {environment} was used <RelativeTime at={state.at} />. Waiting for an application that reports an
          evaluation of <b>{featureName}</b>…
        </Alert>
      );
    case 'waiting':
      return (
        <Group gap="xs" wrap="nowrap">
          <Loader size="xs" aria-hidden />
          <Text size="sm">Waiting for your first request in {environment}…</Text>
        </Group>
      );
  }
}

interface ReportProps {
  readonly application: Connection;
  readonly featureName: string;
}

/** Says what is known of an application that reports and has not evaluated the flag. */
function Report({ application, featureName }: ReportProps) {
  const { environment, lastSeenAt, usesProject } = application;
  return (
    <>
      <ApplicationName application={application} /> reports in {environment}
      {lastSeenAt !== null && (
        <>
          , last <RelativeTime at={lastSeenAt} />
        </>
      )}
      .{' '}
      {usesProject ? (
        <>
          It has evaluated flags of this project, but not <b>{featureName}</b> in {environment} yet.
        </>
      ) : (
        'It has not evaluated any existing flag yet, so it may be an application of another project.'
      )}
    </>
  );
}

function ApplicationName({ application: { appName, sdkVersion } }: { readonly application: Connection }) {
  return (
    <>
      <TextLink to="/applications/$appName" params={{ appName }} inherit underline="always">
        {appName}
      </TextLink>
      {sdkVersion !== null && ` (${sdkName(sdkVersion)})`}
    </>
  );
}
