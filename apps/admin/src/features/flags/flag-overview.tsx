import { Alert, Grid, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { flagQuery } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PendingChanges } from '../change-requests/index.ts';
import { ConnectCard } from '../connect/index.ts';
import { EnvironmentCard } from './environment-card.tsx';
import { FlagDependency } from './flag-dependency.tsx';
import { FlagFacts } from './flag-facts.tsx';
import { useFlag } from './flag-layout.tsx';
import { FlagLinks } from './flag-links.tsx';
import { FlagTags } from './flag-tags.tsx';

/** The time in milliseconds during which a loaded flag is recent, so that it is not loaded again with its usage. */
const recentMs = 5000;

/** The overview of a flag: its environments, lifecycle, tags, dependency and links. */
export function FlagOverview() {
  const flag = useFlag();
  const queries = useQueryClient();
  const name = flag?.name ?? '';
  const usage = useQuery({
    queryKey: ['GET /api/admin/client-metrics/features/:name', name],
    queryFn: async () => {
      const counted = await api('GET /api/admin/client-metrics/features/:name', { params: { name } });
      // The times of the last use are part of the flag: load the flag again when its usage is newer than these times.
      const seen = (environment: string) => flag?.environments.find((state) => state.name === environment)?.lastSeenAt;
      const isBehind = counted.lastHourUsage.some(({ environment }) => seen(environment) === null);
      await queries.prefetchQuery({
        ...flagQuery({ projectId: flag?.project ?? '', featureName: name }),
        staleTime: isBehind ? 0 : recentMs,
      });
      return counted;
    },
    enabled: name !== '',
    refetchInterval: 30_000,
  });
  if (flag === undefined) return null;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8.5 }}>
        <Stack>
          {flag.archived && (
            <Alert color="gray" title="This flag is archived">
              It is not sent to SDKs. When revived, it is off in every environment.
            </Alert>
          )}
          <PendingChanges projectId={flag.project} featureName={flag.name} />
          {flag.environments.length === 0 && (
            <EmptyState title="The project has no environments">Add one in the settings of the project.</EmptyState>
          )}
          {flag.environments.map((state) => (
            <EnvironmentCard
              key={state.name}
              flag={flag}
              state={state}
              usage={usage.data?.lastHourUsage.find(({ environment }) => environment === state.name)}
            />
          ))}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 3.5 }}>
        <Stack>
          {!flag.archived && <ConnectCard flag={{ projectId: flag.project, featureName: flag.name }} />}
          <FlagFacts flag={flag} />
          <FlagTags flag={flag} />
          <FlagDependency flag={flag} />
          <FlagLinks flag={flag} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
