import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { engines, useFixtures } from './fixtures.ts';
import { call } from './http-call.ts';
import { startServer } from './server-process.ts';
import { loadSettings, newAdminToken } from './target.ts';
import { until } from './until.ts';

const flags = ['wide', 'deep'];
/** Enough for several transactions of each signal. */
const count = 150;
const rounds = 3;
const killsPerSignal = 3;

const { storage, onCleanUp } = useFixtures();

/** Creates flags that are on, and a set that holds one of them off for each alert of a signal. */
async function givenHolding(origin: string, adminToken: string) {
  const make = async (path: string, body: object) => {
    const answer = await call(origin, { method: 'POST', path, token: adminToken, body: JSON.stringify(body) });
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as { id: number; token: string };
  };
  const { id: sourceId } = await make('/api/admin/signal-endpoints', { name: 'alerts', source: 'alertmanager' });
  const { token } = await make(`/api/admin/signal-endpoints/${sourceId}/tokens`, { name: 'sender' });
  const { id: actorId } = await make('/api/admin/service-account', {
    username: 'robot',
    name: 'robot',
    rootRole: 'Editor',
  });
  for (const name of flags) {
    await make('/api/admin/projects/default/features', { name });
    await make(`/api/admin/projects/default/features/${name}/environments/development/on`, {});
  }
  const is = (value: string) => ({ 'item.status': { operator: 'IN', values: [value] } });
  await make('/api/admin/projects/default/actions', {
    name: 'hold',
    actorId,
    match: {
      source: 'signal-endpoint',
      sourceId,
      forEach: 'alerts',
      payload: is('firing'),
      release: is('resolved'),
    },
    allow: { flags, tags: [], environments: [] },
    actions: [
      {
        action: 'HOLD_FEATURE',
        sortOrder: 1,
        executionParams: {
          project: 'default',
          environment: 'development',
          featureName: '{{item.labels.flag}}',
          effect: 'off',
        },
      },
    ],
  });
  return { token };
}

async function sendAlerts(origin: string, token: string, status: string, startsAt: string): Promise<number> {
  const alerts = Array.from({ length: count }, (_, n) => ({
    status,
    labels: { alertname: `A${n}`, flag: flags[n % flags.length] },
    fingerprint: `f${n}`,
    startsAt,
    ...(status === 'resolved' && { endsAt: new Date().toISOString() }),
  }));
  const body = JSON.stringify({ version: '4', groupKey: 'g', status, alerts });
  const answer = await call(origin, { method: 'POST', path: '/api/signal-endpoint/alerts', token, body });
  if (answer.status !== 200) throw new Error(`a signal was answered ${answer.status}`);
  return (answer.body as { signals: { id: number }[] }).signals[0]?.id ?? 0;
}

describe.each(engines)('signals with many alerts, on %s', (engine) => {
  it('run once for each alert, in order, whenever the server is killed', async () => {
    const place = await storage(engine);
    const adminToken = newAdminToken();
    const settings = { ...place.settings, ...loadSettings(adminToken) };
    let server = await startServer(settings);
    onCleanUp(() => server.end('SIGKILL'));
    const { token } = await givenHolding(server.origin, adminToken);
    const lastElement = async (id: number) => {
      const path = `/api/admin/action-runs?signal=IS:${id}&limit=1`;
      const { body } = await call(server.origin, { method: 'GET', path, token: adminToken });
      return (body as { runs: { element: number }[] }).runs[0]?.element ?? -1;
    };
    const untilRun = (id: number, element: number) =>
      until(`the run for element ${element}`, 60_000, async () => (await lastElement(id)) >= element, 1);
    const signals: number[] = [];
    let killedBetween = 0;
    for (let round = 1; round <= rounds; round++) {
      const startsAt = new Date().toISOString();
      for (const status of ['firing', 'resolved']) {
        const id = await sendAlerts(server.origin, token, status, startsAt);
        signals.push(id);
        for (let kill = 1; kill <= killsPerSignal; kill++) {
          await untilRun(id, randomInt((kill * count) / killsPerSignal));
          await server.end('SIGKILL');
          const [cursor] = await place.read((query) =>
            query<{ begun_signal_id: number | null }>('select begun_signal_id from action_cursors'),
          );
          if (Number(cursor?.begun_signal_id) === id) killedBetween++;
          server = await startServer(settings);
        }
        await untilRun(id, count - 1);
      }
    }
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await place.read(async (query) => {
      const runs = await query<{ signal_id: number; element: number; state: string }>(
        'select signal_id, element, state from action_runs order by id',
      );
      expect(runs.map((run) => `${run.signal_id} ${run.element} ${run.state}`)).toEqual(
        signals.flatMap((id) => Array.from({ length: count }, (_, n) => `${id} ${n} success`)),
      );
      const events = await query<{ type: string; n: number }>(
        `select type, count(*) as n from events where type like 'feature-lease-%' group by type order by type`,
      );
      expect(events.map(({ type, n }) => [type, Number(n)])).toEqual([
        ['feature-lease-placed', rounds * count],
        ['feature-lease-released', rounds * count],
      ]);
      expect(await query('select id from feature_leases')).toEqual([]);
    });
    expect(killedBetween).toBeGreaterThan(0);
    const kills = signals.length * killsPerSignal;
    console.log(`kill -9 within signals of ${count} alerts (${engine}):`, JSON.stringify({ kills, killedBetween }));
  }, 300_000);
});
