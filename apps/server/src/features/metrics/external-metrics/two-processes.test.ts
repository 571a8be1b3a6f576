import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#testing/clock.ts';
import { givenEnabled } from '#testing/flags.ts';
import { startMinute } from '#testing/impact-metrics.ts';
import { answerValue, startFakePrometheus } from '#testing/prometheus.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { createStorage, engine, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

const prometheus = await startFakePrometheus();

async function passTwoSeconds({ app, clock }: TestServer): Promise<void> {
  clock.advance(2000);
  await app.service.jobs.runDue();
  await app.service.externalMetrics.idle();
}

// Only PostgreSQL can be shared. The two servers are in one process here, with nothing in common but the database.
describe.runIf(engine === 'postgres')('two servers on one database', () => {
  let storage: TestStorage;
  const settings = {
    initAdminTokens: [`*:*.${'e'.repeat(56)}`],
    prometheusUrl: `http://${prometheus.host}`,
    allowPrivateIntegrationUrls: true,
  };
  const servers: TestServer[] = [];
  beforeAll(async () => {
    storage = await createStorage();
    // Each server has its own clock, like two machines.
    for (let each = 0; each < 2; each++) servers.push(await startServer(storage, settings, new TestClock()));
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await storage.remove();
  });

  it('send each query once, and decide on the result in either', async () => {
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('no server');
    for (const server of servers) startMinute(server);
    const flags = [];
    for (let n = 0; n < 12; n++) {
      const flag = await givenEnabled(first);
      await setSafeguard(first, flag, moreThan(5, `e${n % 6}_total`, { source: 'external', labelSelectors: {} }));
      flags.push(flag);
    }
    prometheus.answer((response) => answerValue(response, 9));
    for (let second = 0; second < 80; second += 2) await Promise.all(servers.map(passTwoSeconds));
    const asked = prometheus.queries.map(({ form }) => `${form['time']} ${form['query']}`);
    expect(asked.length).toBeGreaterThanOrEqual(6);
    expect(new Set(asked).size).toBe(asked.length);
    const states = await Promise.all(flags.map(async (flag) => (await safeguardsOf(second, flag))[0].status.state));
    expect(new Set(states)).toEqual(new Set(['triggered']));
    const query = { type: 'IS:safeguard-triggered', limit: 1000 };
    const { events } = (await first.admin.call('GET /api/admin/search/events', { query })).json;
    expect(events).toHaveLength(flags.length);
  });
});
