import { describe, expect, it } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { operationsScenarios } from './operations.scenarios.ts';

describe('routes of exports', () => testScenarios(useServer(), operationsScenarios));

describe('the start of a server', () => {
  const initAdminTokens = ['*:*.the-same-after-the-restart'];
  const starts = async (server: TestServer) => {
    const { json } = await server.admin.call('GET /api/admin/search/events', { query: { type: 'IS:server-started' } });
    return json.events.map(({ data }: { data: object }) => data);
  };

  it('is recorded with the version and the names of changed settings, never their values or secrets', async () => {
    const storage = await createStorage();
    let server = await startServer(storage, { initAdminTokens });
    try {
      const { version } = (await starts(server))[0];
      const started = { version: expect.any(String), previousVersion: version };
      expect(await starts(server)).toEqual([{ version, previousVersion: null, changedSettings: [] }]);
      await server.stop();
      server = await startServer(storage, { initAdminTokens, sessionTtlHours: 7, adminPassword: 'Changed-Since-42!' });
      expect((await starts(server))[0]).toEqual({ ...started, changedSettings: ['SESSION_TTL_HOURS'] });
      await server.stop();
      server = await startServer(storage, { initAdminTokens, sessionTtlHours: 7 });
      expect((await starts(server))[0]).toEqual({ ...started, changedSettings: [] });
    } finally {
      await server.stop();
      await storage.remove();
    }
  });
});
