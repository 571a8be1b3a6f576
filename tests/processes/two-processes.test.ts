import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { engine } from '../../apps/server/testing/server.ts';
import { audit } from '../durability/audit.ts';
import { call } from '../durability/http-call.ts';
import { Ledger } from '../durability/ledger.ts';
import { Load, sendSignal } from '../durability/load.ts';
import { isNotified, propagationMs } from '../durability/propagation.ts';
import { type ServerProcess, spawnServer, startServer } from '../durability/server-process.ts';
import { sqliteStorage } from '../durability/storage.ts';
import { loadSettings, newAdminToken, prepareTarget, type Target } from '../durability/target.ts';
import { until } from '../durability/until.ts';
import { usePair } from './pair.ts';

const signal = ({ origin, endpoint, signalToken }: Target, headers: Record<string, string> = {}) =>
  call(origin, { method: 'POST', path: `/api/signal-endpoint/${endpoint}`, token: signalToken, body: '{}', headers });

describe.runIf(engine === 'postgres')('two processes on one PostgreSQL', () => {
  const pair = usePair();

  it('accept signals at an endpoint that the other process has just created', async () => {
    const { a, b, adminToken } = pair();
    for (let i = 0; i < 5; i++) {
      const created = await prepareTarget(a.origin, adminToken, new Ledger());
      expect(await signal({ ...created, origin: b.origin })).toMatchObject({ status: 200 });
    }
  });

  it('deliver changes of the other process at once', async () => {
    const { a, b, adminToken } = pair();
    const tookMs = await propagationMs(a.origin, b.origin, adminToken, new Ledger(), 12);
    console.log('seen by the other process after ms:', tookMs.join(' '));
    expect(isNotified(tookMs)).toBe(true);
  });

  it('refuse signals of an endpoint that the other process has just disabled', async () => {
    const { a, b, adminToken } = pair();
    const created = await prepareTarget(a.origin, adminToken, new Ledger());
    const there = { ...created, origin: b.origin };
    expect(await signal(there)).toMatchObject({ status: 200 });
    const path = '/api/admin/signal-endpoints';
    const { body } = await call(a.origin, { method: 'GET', path, token: adminToken });
    const { signalEndpoints } = body as { signalEndpoints: { id: number; name: string }[] };
    const id = signalEndpoints.find(({ name }) => name === created.endpoint)?.id;
    await call(a.origin, { method: 'POST', path: `${path}/${id}/off`, token: adminToken });
    await until('the other process to refuse', 2000, async () => (await signal(there)).status === 404, 1);
  });

  it('know each other’s deliveries', async () => {
    const { a, b } = pair();
    for (let i = 0; i < 5; i++) {
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all([a, b, a, b].map((target) => signal(target, headers)));
      const bodies = answers.map(({ body }) => body as { signals: { id: number }[]; duplicate: boolean });
      expect(new Set(bodies.map(({ signals }) => signals[0]?.id)).size).toBe(1);
      expect(bodies.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    }
  });
});

describe.runIf(engine === 'postgres')('two processes that write to one PostgreSQL at once', () => {
  const pair = usePair();

  it('number events and signals without gaps and lose nothing', async () => {
    const { a, b, ledger, servers, stored } = pair();
    const loads = [a, b].map((target) => new Load(target, ledger, { senders: 4, administrators: 3 }));
    await until('both to have done their share', 15_000, () => ledger.acknowledged.changes > 60);
    await Promise.all(loads.map((load) => load.stop()));
    expect(ledger.answers).not.toHaveProperty('503');
    expect(ledger.answers).not.toHaveProperty('silence');
    const exits = await Promise.all(servers.map((server) => server.end('SIGTERM')));
    expect(exits.map(({ code }) => code)).toEqual([0, 0]);
    expect((await audit(stored, ledger)).broken).toEqual([]);
  });
});

describe.runIf(engine === 'postgres')('the rate limit of a token', () => {
  const pair = usePair({ SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '1' });

  it('is shared by both processes', async () => {
    const { a, b } = pair();
    const begun = performance.now();
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(...(await Promise.all([a, b, a, b].map((target) => signal(target)))));
    const seconds = (performance.now() - begun) / 1000;
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(1);
    expect(accepted).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - accepted);
  });
});

describe.runIf(engine === 'sqlite')('a second process on one data directory', () => {
  const adminToken = newAdminToken();
  let storage: ReturnType<typeof sqliteStorage> | undefined;
  let settings: Record<string, string> = {};
  const started: ServerProcess[] = [];
  const start = async () => {
    const server = await startServer(settings);
    started.push(server);
    return server;
  };
  beforeAll(() => {
    storage = sqliteStorage();
    settings = { ...storage.settings, ...loadSettings(adminToken) };
  });
  afterEach(async () => {
    for (const server of started.splice(0)) await server.end('SIGKILL');
  });
  afterAll(() => storage?.remove());

  it.each(['start', 'migrate'])(
    'is refused with the id of the first process when it runs %s; the first goes on',
    async (command) => {
      const first = await start();
      const ledger = new Ledger();
      const target = await prepareTarget(first.origin, adminToken, ledger);
      const second = spawnServer(settings, command);
      expect(await second.ended).toEqual({ code: 1, signal: null });
      expect(second.output()).toMatch(`in use by process ${first.pid}, started 20`);
      expect(second.output()).toMatch('stop that one first, or set DATABASE_URL');
      expect(second.output(), 'a stack trace').not.toMatch(/\n +at /);
      expect(await sendSignal(target, ledger)).toBe(200);
    },
  );

  it('starts as soon as the first process has ended, by a stop or a kill', async () => {
    for (const how of ['SIGKILL', 'SIGTERM'] as const) {
      const first = await start();
      await first.end(how);
      const second = await start();
      expect(second.readyAfterMs).toBeLessThan(10_000);
      await second.end('SIGTERM');
    }
  });
});
