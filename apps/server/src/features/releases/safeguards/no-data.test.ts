import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#testing/client.ts';
import { type FlagEnvironmentParams, givenEnabled, givenFlagIn, givenProject } from '#testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, passMinutes, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { clientOf } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) await passMinutes(server(), 1);
};

/** Returns the texts of the events about a flag's safeguards without data, oldest first. */
async function told({ featureName }: FlagEnvironmentParams): Promise<readonly string[]> {
  const query = { feature: `IS:${featureName}`, limit: 100 };
  const { events } = (await server().admin.call('GET /api/admin/search/events', { query })).json;
  const texts = events.flatMap(({ type, summary }: { type: string; summary: string }) =>
    /^safeguard-no-data/.test(type) ? [summary] : [],
  );
  return texts.toReversed();
}

/** Returns the rows of the Now page about a flag's safeguards without data. */
async function shownOf({ featureName }: FlagEnvironmentParams, caller: ApiClient = server().admin) {
  const { safeguardsWithoutData } = (await caller.call('GET /api/admin/now')).json;
  return safeguardsWithoutData.filter((row: { featureName: string }) => row.featureName === featureName);
}

/** Sets a safeguard of a plan or a flag at a full minute, and returns how to report its metric. */
async function given(owner: 'plan' | 'flag', flag?: FlagEnvironmentParams) {
  const name = metricNamed('failed');
  startMinute(server());
  const params = owner === 'plan' ? (await givenPlan(server(), [rolloutTo(1, 600), rolloutTo(100)])).params : flag;
  const place = params ?? (await givenEnabled(server()));
  const metric = `unleash_counter_${name}`;
  await setSafeguard(server(), place, moreThan(10, metric));
  const report = async (value: number) => {
    await reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
    await pass(1);
  };
  return { params: place, metric, report };
}

describe('a safeguard without data', () => {
  it.each(['plan', 'flag'] as const)(
    'of a %s is told once after five minutes, until it has data again',
    async (owner) => {
      const { params, metric, report } = await given(owner);
      await pass(4);
      expect([await told(params), await shownOf(params)]).toEqual([[], []]);
      await pass(20);
      const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d/);
      expect(await told(params)).toEqual([
        expect.stringContaining(`in **development** (project **default**): ${metric} (count) has had no value since `),
      ]);
      const [row] = await shownOf(params);
      expect(row).toMatchObject({
        project: 'default',
        environment: 'development',
        impactMetric: { metricName: metric },
        since,
      });
      expect((await safeguardsOf(server(), params))[0].status).toMatchObject({
        state: 'no-data',
        noDataSince: row.since,
      });
      await report(3);
      await pass(1);
      expect(await told(params)).toHaveLength(2);
      expect((await told(params))[1]).toContain(`${metric} (count) is 3, not above 10. It had no value since `);
      expect(await shownOf(params)).toEqual([]);
      expect((await safeguardsOf(server(), params))[0].status).toMatchObject({ state: 'within', noDataSince: null });
    },
  );

  it('is not told while the metric is reported', async () => {
    const { params, report } = await given('plan');
    for (let minute = 0; minute < 10; minute++) await report(1);
    expect([await told(params), await shownOf(params)]).toEqual([[], []]);
  });

  it('is not told while the flag is off, and no longer shown when the flag goes off', async () => {
    const flag = await givenFlagIn(server());
    const { params } = await given('flag', flag);
    await pass(20);
    expect(await told(params)).toEqual([]);
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
    await server().admin.call(`${route}/on`, { params });
    await pass(8);
    expect(await told(params)).toHaveLength(1);
    await server().admin.call(`${route}/off`, { params });
    await pass(2);
    expect(await shownOf(params)).toEqual([]);
    expect((await told(params))[1]).toMatch(
      / \(count\), because the flag is off or the safeguard was deleted\. It had no value since /,
    );
  });

  it('is hidden from users who may not see the project', async () => {
    const projectId = await givenProject(server(), { mode: 'private' });
    const { params } = await given('flag', await givenEnabled(server(), projectId));
    await pass(10);
    const viewer = await clientOf(server(), 'viewer');
    expect([await shownOf(params), await shownOf(params, viewer)]).toEqual([[expect.anything()], []]);
  });
});
