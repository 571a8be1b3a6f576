import { allProjects } from '#features/people/token-scopes/index.ts';
import { givenApplicationNamed } from '#testing/applications.ts';
import { author } from '#testing/database.ts';
import { givenFlag } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { addCounts } from './count-store.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Creates a flag with counts of the application `shop` in this hour and five hours ago, and of `office` in this hour.
 */
async function givenCounted(server: TestServer): Promise<string> {
  const { featureName } = await givenFlag(server);
  for (const name of ['shop', 'office']) await givenApplicationNamed(server, name);
  const now = server.clock.now();
  const hour = now - (now % hourMs);
  const count = { featureName, environment: 'production', scope: allProjects, hour, variants: new Map() };
  await server.app.database.writeQuietly('usage metrics', author, (tx) =>
    addCounts(tx, [
      { ...count, appName: 'shop', yes: 3, no: 1, variants: new Map([['blue', 2]]) },
      { ...count, appName: 'office', yes: 10, no: 0 },
      { ...count, appName: 'shop', hour: hour - 5 * hourMs, yes: 100, no: 100 },
    ]),
  );
  return featureName;
}

export const usageScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/client-metrics/features/:name',
    name: 'returns the sums of the last hour and the names of all applications',
    given: async (server) => ({ params: { name: await givenCounted(server) } }),
    answer: {
      lastHourUsage: [{ environment: 'production', yes: 13, no: 1 }],
      seenApplications: ['office', 'shop'],
    },
  },
  {
    route: 'GET /api/admin/client-metrics/features/:name/raw',
    name: 'returns each hour of each application, newest first',
    given: async (server) => ({ params: { name: await givenCounted(server) } }),
    answer: {
      data: [
        { appName: 'office', yes: 10, no: 0, variants: {} },
        { appName: 'shop', yes: 3, no: 1, variants: { blue: 2 } },
        { appName: 'shop', yes: 100, no: 100, variants: {} },
      ],
    },
  },
  {
    route: 'GET /api/admin/client-metrics/features/:name/raw',
    name: 'returns the hours of hoursBack',
    given: async (server) => ({ params: { name: await givenCounted(server) }, query: { hoursBack: 2 } }),
    answer: { data: [{ appName: 'office' }, { appName: 'shop' }] },
  },
  {
    route: 'GET /api/admin/client-metrics/features/:name/raw',
    name: 'uses the default for an invalid hoursBack',
    given: async (server) => ({ params: { name: await givenCounted(server) }, query: { hoursBack: 'all' } }),
    answer: { data: [{ yes: 10 }, { yes: 3 }, { yes: 100 }] },
  },
];
