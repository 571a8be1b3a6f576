import { Anchor, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { urlOf } from '../../lib/api.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Muted } from '../../ui/text.tsx';
import { type Numbers, statisticsQuery } from './statistics-query.ts';

/** The statistics of the installation. */
export function Statistics() {
  const statistics = useQuery(statisticsQuery);
  return (
    <Loaded query={statistics}>
      {(numbers) => (
        <Stack>
          <SimpleGrid cols={{ base: 2, xs: 3, md: 4, lg: 6 }} spacing="sm">
            {figuresOf(numbers).map(([name, value]) => (
              <Paper key={name} withBorder p="md">
                <Text size="xl" fw={650}>
                  {value.toLocaleString()}
                </Text>
                <Muted>{name}</Muted>
              </Paper>
            ))}
          </SimpleGrid>
          <Group justify="space-between">
            <Muted style={{ overflowWrap: 'anywhere' }}>
              Version {numbers.versionOSS} · Instance {numbers.instanceId}
            </Muted>
            <Anchor href={urlOf('GET /api/admin/instance-admin/statistics/csv')} download="statistics.csv" size="sm">
              Download as CSV
            </Anchor>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}

function figuresOf(numbers: Numbers): readonly (readonly [name: string, value: number])[] {
  return [
    ['Feature flags', numbers.featureToggles],
    ['Projects', numbers.projects],
    ['Environments', numbers.environments],
    ['Segments', numbers.segments],
    ['Context fields', numbers.contextFields],
    ['Strategies', numbers.strategies],
    ['Users', numbers.users],
    ['Active users (30 days)', numbers.activeUsers.last30],
    ['Service accounts', numbers.serviceAccounts],
    ['Groups', numbers.groups],
    ['Roles', numbers.roles],
    ['Signal endpoints', numbers.signalEndpoints],
    ['Backend tokens', numbers.apiTokens.client],
    ['Frontend tokens', numbers.apiTokens.frontend],
    ['Admin tokens', numbers.apiTokens.admin],
    ['Applications', numbers.clientApps.find(({ range }) => range === 'allTime')?.count ?? 0],
    ['Active applications (7 days)', numbers.clientApps.find(({ range }) => range === '7d')?.count ?? 0],
    ['Production changes (30 days)', numbers.productionChanges.last30],
  ];
}
