import { describe, expect, it } from 'vitest';
import { withListener } from '#storage/kysely-connection.ts';
import { givenGroup } from '#testing/access.ts';
import { givenApplication } from '#testing/applications.ts';
import { givenContextField } from '#testing/context-fields.ts';
import { givenEnabled, givenFlagIn } from '#testing/flags.ts';
import { givenUser } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { instanceScenarios } from './instance.scenarios.ts';
import { countInstance } from './statistics.ts';

describe('instance routes', () => testScenarios(useServer(), instanceScenarios));

describe('the statistics of an instance', () => {
  const server = useServer();
  const statistics = async () => (await server().admin.call('GET /api/admin/instance-admin/statistics')).json;

  it('count users, flags and recent changes in production', async () => {
    const before = await statistics();
    await givenUser(server(), 'Editor');
    await givenSegment(server());
    await givenContextField(server());
    await givenEnabled(server());
    const params = await givenFlagIn(server(), 'production');
    const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await server().admin.call(on, { params });
    await givenGroup(server());
    await givenApplication(server(), {});
    const body = { environment: 'development', features: [params.featureName] };
    await server().admin.call('POST /api/admin/features-batch/export', { body });
    const after = await statistics();
    expect(after).toMatchObject({
      instanceId: before.instanceId,
      users: before.users + 1,
      featureToggles: before.featureToggles + 2,
      strategies: before.strategies + 2,
      segments: before.segments + 1,
      contextFields: before.contextFields + 1,
      groups: before.groups + 1,
      maxEnvironmentStrategies: 1,
      featureExports: 1,
      featureImports: 0,
      clientApps: [
        { range: 'allTime', count: 1 },
        { range: '30d', count: 1 },
        { range: '7d', count: 1 },
      ],
      // Two events: the flag was turned on, and a default strategy was added.
      productionChanges: { last30: before.productionChanges.last30 + 2 },
    });
    server().clock.advance(31 * 24 * 60 * 60 * 1000);
    const later = await statistics();
    expect(later.clientApps).toMatchObject([{ count: 1 }, { count: 0 }, { count: 0 }]);
    expect(later.productionChanges).toMatchObject({ last30: 0, last60: after.productionChanges.last60 });
  });

  it('count changes in production from the sums by day, not from single events', async () => {
    const statements: string[] = [];
    const db = withListener(server().app.database.db, (statement) => void statements.push(statement));
    await countInstance({ db }, server().clock.now());
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toMatch(/from "?events"?\s+where "?environment"?/);
  });

  it('count changes of the last 30, 60 and 90 days, including today', async () => {
    const params = await givenFlagIn(server(), 'production');
    const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    server().clock.advance(100 * 24 * 60 * 60 * 1000);
    await server().admin.call(on, { params });
    const lasts: unknown[] = [(await statistics()).productionChanges];
    for (let days = 29; days <= 89; days += 30) {
      server().clock.advance((days === 29 ? 29 : 30) * 24 * 60 * 60 * 1000);
      lasts.push((await statistics()).productionChanges);
    }
    server().clock.advance(24 * 60 * 60 * 1000);
    lasts.push((await statistics()).productionChanges);
    // Two events: the flag was turned on, and a default strategy was added.
    expect(lasts).toEqual([
      { last30: 2, last60: 2, last90: 2 },
      { last30: 2, last60: 2, last90: 2 },
      { last30: 0, last60: 2, last90: 2 },
      { last30: 0, last60: 0, last90: 2 },
      { last30: 0, last60: 0, last90: 0 },
    ]);
  });
});
