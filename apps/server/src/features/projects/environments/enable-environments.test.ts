import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

describe('environments enabled at start', () => {
  let storage: TestStorage;
  beforeEach(async () => {
    storage = await createStorage();
  });
  afterEach(() => storage.remove());

  async function started<T>(settings: object, work: (server: TestServer) => Promise<T>): Promise<T> {
    const server = await startServer(storage, { initAdminTokens: ['*:*.the-same-again'], ...settings });
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  }
  const states = async ({ admin }: TestServer) => {
    const { json } = await admin.call('GET /api/admin/environments');
    return Object.fromEntries(
      json.environments.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled]),
    );
  };

  it('are those named in the settings; each change is recorded, and other environments stay unchanged', async () => {
    const before = await started({}, async (server) => {
      for (const name of ['development', 'production'])
        await server.admin.call('POST /api/admin/environments/:name/off', { params: { name } });
      return lastEventId(server);
    });
    await started({ enabledEnvironments: ['production', 'nowhere'] }, async (server) => {
      expect(await states(server)).toEqual({ development: false, production: true });
      const events = (await eventsAfter(server, before)).filter(({ type }) => type.startsWith('environment-'));
      expect(events).toMatchObject([
        {
          type: 'environment-updated',
          environment: 'production',
          preData: { name: 'production', enabled: false },
          data: { name: 'production', enabled: true },
        },
      ]);
      expect(server.logged.some((line) => line.includes('"environments":["nowhere"]'))).toBe(true);
    });
    const again = await started({ enabledEnvironments: ['production'] }, lastEventId);
    await started({ enabledEnvironments: ['production'] }, async (server) => {
      expect(await eventsAfter(server, again)).toMatchObject([{ type: 'server-started' }]);
    });
  });
});
