import { Group, Stack, Text } from '@mantine/core';
import { IconBellRinging, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FlagParams } from '../../entities/flags/flag-queries.ts';
import { useMay } from '../../lib/me.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SideCard } from '../../ui/side-card.tsx';
import { Muted } from '../../ui/text.tsx';
import type { Connection } from './connection-queries.ts';
import { connectionsQuery } from './connection-queries.ts';
import { formatEvaluated, sdkName } from './connection-state.ts';

const shown = 3;

/** Lists the applications that evaluate a flag, with a link to the page that connects another one. */
export function ConnectCard({ flag }: { readonly flag: FlagParams }) {
  const isAdmin = useMay()('ADMIN');
  const { data } = useQuery({ ...connectionsQuery(flag), refetchInterval: 15_000 });
  if (data === undefined) return null;
  const evaluating = data.applications.filter(({ evaluatedAt }) => evaluatedAt !== null);
  return (
    <SideCard title="Applications">
      {evaluating.length === 0 ? (
        <Muted>No application has evaluated this flag yet.</Muted>
      ) : (
        <Stack gap={4}>
          {evaluating.slice(0, shown).map((application) => (
            <EvaluatingApplication
              key={`${application.appName} ${application.environment}`}
              application={application}
            />
          ))}
        </Stack>
      )}
      <Group gap="xs">
        <ButtonLink
          to="/projects/$projectId/features/$featureName/connect"
          params={flag}
          variant={evaluating.length === 0 ? 'filled' : 'default'}
          size="xs"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
        >
          Connect your application
        </ButtonLink>
        {isAdmin && (
          <ButtonLink
            to="/first-alert"
            search={{ project: flag.projectId, flag: flag.featureName }}
            variant="default"
            size="xs"
            leftSection={<IconBellRinging size={16} aria-hidden />}
          >
            Let an alert switch it
          </ButtonLink>
        )}
      </Group>
    </SideCard>
  );
}

function EvaluatingApplication({ application }: { readonly application: Connection }) {
  const { appName, environment, sdkVersion, evaluatedAt } = application;
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      <TextLink to="/applications/$appName" params={{ appName }} inherit underline="always">
        {appName}
      </TextLink>
      {sdkVersion !== null && ` (${sdkName(sdkVersion)})`} in {environment}
      {evaluatedAt !== null && (
        <>
          , <RelativeTime at={evaluatedAt} format={formatEvaluated} />
        </>
      )}
    </Text>
  );
}
