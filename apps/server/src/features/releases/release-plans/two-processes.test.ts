import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#testing/clock.ts';
import { approve, type GivenPlan, givenPlan, planOf, rolloutTo } from '#testing/release-plans.ts';
import { createStorage, engine, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

// Only a PostgreSQL database can be shared. The two servers run in one process here, but share only the database.
describe.runIf(engine === 'postgres')('two servers on one database', () => {
  let storage: TestStorage;
  const clock = new TestClock();
  const settings = { initAdminTokens: [`*:*.${'p'.repeat(56)}`] };
  const servers: TestServer[] = [];
  beforeAll(async () => {
    storage = await createStorage();
    for (let each = 0; each < 2; each++) servers.push(await startServer(storage, settings, clock));
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await storage.remove();
  });

  it('start each milestone of many plans once', async () => {
    const [first] = servers;
    if (first === undefined) throw new Error('no server');
    const plans = [];
    for (let each = 0; each < 20; each++) plans.push(await givenPlan(first));
    for (const climbed of [1, 2]) {
      clock.advance(3_600_000);
      await Promise.all(servers.map((server) => server.app.service.jobs.runDue()));
      const query = { type: 'IS:release-plan-milestone-started', limit: 1000 };
      const { events } = (await first.admin.call('GET /api/admin/search/events', { query })).json;
      const byTime = events.filter(({ data }: { data: { trigger: string } }) => data.trigger === 'time');
      expect(byTime).toHaveLength(plans.length * climbed);
    }
    const states = await Promise.all(plans.map(async ({ params }) => (await planOf(first, params)).progress.state));
    expect(new Set(states)).toEqual(new Set(['completed']));
  });

  it('start the milestone after an approved one once, when approvals and jobs come at the same time', async () => {
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('no server');
    const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval: { by: 'person' } } };
    const plans = [];
    for (let each = 0; each < 10; each++) plans.push(await givenPlan(first, [gated, gated, rolloutTo(100)]));
    clock.advance(3_600_000);
    const [approvals] = await Promise.all([
      Promise.all(plans.flatMap((plan) => servers.map((server) => approve(server, plan)))),
      ...servers.map((server) => server.app.service.jobs.runDue()),
    ]);
    expect(approvals.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(plans.length);
    clock.advance(60_000);
    await Promise.all(servers.map((server) => server.app.service.jobs.runDue()));
    const active = await Promise.all(
      plans.map(async ({ params, milestoneIds }) =>
        milestoneIds.indexOf((await planOf(second, params)).activeMilestoneId),
      ),
    );
    expect(new Set(active)).toEqual(new Set([1]));
  });

  it('keep one job for each plan when both switch its flag while milestones start', async () => {
    const [first] = servers;
    if (first === undefined) throw new Error('no server');
    const plans = [];
    for (let each = 0; each < 10; each++) plans.push(await givenPlan(first));
    const turn = (server: TestServer, state: 'on' | 'off', { params }: GivenPlan) =>
      server.admin.call(`POST ${environment}/${state}`, { params });
    for (const ms of [3_600_000, 60_000, 60_000]) {
      clock.advance(ms);
      await Promise.all([
        ...servers.map((server) => server.app.service.jobs.runDue()),
        ...plans.flatMap((plan) => servers.flatMap((server) => [turn(server, 'off', plan), turn(server, 'on', plan)])),
      ]);
    }
    await Promise.all(plans.map((plan) => turn(first, 'on', plan)));
    const rows = await first.app.database.db.selectFrom('jobs').select('payload').execute();
    for (const { params } of plans) {
      const { progress } = await planOf(first, params);
      const jobs = rows.map(({ payload }) => JSON.parse(payload)).filter((job) => job?.planId === params.planId);
      expect(jobs).toEqual([{ planId: params.planId, at: Date.parse(progress.nextAt) }]);
    }
  });
});
