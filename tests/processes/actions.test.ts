import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createStorage, engine, type TestStorage } from '../../apps/server/testing/server.ts';
import { expectHandledOnce } from '../durability/acted.ts';
import { anything, givenActing, releaseAll, say, untilHandled } from '../durability/acting.ts';
import { type Receiver, receiverSettings, startReceiver } from '../durability/receiver.ts';
import { type ServerProcess, startServer } from '../durability/server-process.ts';
import { postgresStorage } from '../durability/storage.ts';
import { loadSettings, newAdminToken } from '../durability/target.ts';

describe.runIf(engine === 'postgres')('actions of two processes on one PostgreSQL', () => {
  const servers: ServerProcess[] = [];
  let storage: TestStorage | undefined;
  let receiver: Receiver | undefined;
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.end('SIGKILL')));
    await storage?.remove();
    await receiver?.close();
  });

  async function begin() {
    storage = await createStorage();
    const { databaseUrl = '', databaseSchema = '' } = storage.settings;
    const adminToken = newAdminToken();
    const settings = {
      ...loadSettings(adminToken),
      ...receiverSettings,
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: databaseSchema,
      YARDARM_DATABASE_POOL_MAX: '5',
    };
    servers.push(...(await Promise.all([startServer(settings), startServer(settings)])));
    const [a = '', b = ''] = servers.map(({ origin }) => origin);
    receiver = await startReceiver();
    const acting = await givenActing(a, adminToken, receiver.url);
    return { a, b, acting, calls: receiver.keys, stored: postgresStorage(databaseUrl, databaseSchema) };
  }

  it('share the signals of an endpoint: each is handled once, in order', { timeout: 60_000 }, async () => {
    const { a, b, acting, calls, stored } = await begin();
    const send = async (origin: string) => {
      const ids: number[] = [];
      for (let n = 0; n < 40; n++) {
        const { body } = await say(origin, acting, anything());
        ids.push((body as { signals: { id: number }[] }).signals[0]?.id ?? 0);
      }
      return ids;
    };
    const acknowledged = (await Promise.all([send(a), send(b), send(a), send(b)])).flat();
    await untilHandled(a, acting, 10_000);
    const seen = { acknowledged, ...(await releaseAll(b, acting)), calls };
    expect(await stored.read((query) => expectHandledOnce(query, acting, seen))).toBe(160 + seen.releasing.length);
    expect(new Set(calls).size).toBe(calls.length);
  });

  it('are finished by the other process when one is killed', { timeout: 60_000 }, async () => {
    const { a, b, acting, calls, stored } = await begin();
    const answers = Array.from({ length: 30 }, (_, n) => say(a, acting, { state: n % 2 === 0 ? 'on' : 'off' }));
    await pause(30);
    await servers[0]?.end('SIGKILL');
    const acknowledged = (await Promise.all(answers)).flatMap(({ status, body }) =>
      status === 200 ? [(body as { signals: { id: number }[] }).signals[0]?.id ?? 0] : [],
    );
    await untilHandled(b, acting, 10_000);
    const seen = { acknowledged, ...(await releaseAll(b, acting)), calls };
    await stored.read((query) => expectHandledOnce(query, acting, seen));
  });
});
