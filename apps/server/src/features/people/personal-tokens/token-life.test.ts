import { describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';

const dayMs = 24 * 3_600_000;
const farAway = '2099-01-01T00:00:00.000Z';

/** Returns a function that asks for a token of a new user. */
async function givenAsker(server: TestServer) {
  const headers = await logIn(server.anonymous, await givenUser(server));
  const ask = (expiresAt: string, description: string) =>
    server.anonymous.call('POST /api/admin/user/tokens', { headers, body: { description, expiresAt } });
  return { headers, ask, askDays: (days: number) => ask(inDays(server, days), `for ${days} days`) };
}

const inDays = (server: TestServer, days: number) => new Date(server.clock.now() + days * dayMs).toISOString();

describe('the life of a new personal token', () => {
  const server = useServer({ personalTokenDays: loadConfig({}).personalTokenDays });

  it('is at most a year by default', async () => {
    const { askDays } = await givenAsker(server());
    expect((await askDays(365)).status).toBe(201);
    const before = await lastEventId(server());
    const refused = await askDays(366);
    expect([refused.status, refused.json.name, refused.json.details]).toEqual([
      400,
      'BadDataError',
      [
        {
          path: 'expiresAt',
          message: `expiresAt must be at most 365 days from now, ${inDays(server(), 365)}. The setting YARDARM_PERSONAL_TOKEN_DAYS sets the limit`,
        },
      ],
    ]);
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect((await server().admin.call('GET /api/admin/ui-config')).json.personalTokenDays).toBe(365);
  });

  it('may be the longest by a clock that is a few minutes ahead', async () => {
    const { askDays } = await givenAsker(server());
    expect((await askDays(365 + 4 / 1440)).status).toBe(201);
    expect((await askDays(365 + 6 / 1440)).status).toBe(400);
  });

  it('has no limit for a service account', async () => {
    const { json } = await server().admin.call('POST /api/admin/service-account', {
      body: { username: 'robot', name: 'x', rootRole: 3 },
    });
    const created = await server().admin.call('POST /api/admin/service-account/:id/token', {
      params: { id: json.id },
      body: { description: 'pipeline', expiresAt: farAway },
    });
    expect([created.status, created.json.expiresAt]).toEqual([201, farAway]);
  });
});

describe('a limit of the life of personal tokens', () => {
  it('that is lowered lets existing tokens keep their end', async () => {
    const storage = await createStorage();
    const initAdminTokens = ['*:*.the-same-after-the-restart'];
    let server = await startServer(storage, { initAdminTokens, personalTokenDays: 0 });
    try {
      const { headers, ask } = await givenAsker(server);
      const old = await ask(farAway, 'from before');
      expect(old.status).toBe(201);
      await server.stop();
      server = await startServer(storage, { initAdminTokens, personalTokenDays: 7 }, server.clock);
      expect((await server.client(old.json.secret).call('GET /api/admin/user')).status).toBe(200);
      const { json } = await server.anonymous.call('GET /api/admin/user/tokens', { headers });
      expect(json.pats).toMatchObject([{ description: 'from before', expiresAt: farAway }]);
      const asker = await givenAsker(server);
      expect([(await asker.askDays(7)).status, (await asker.askDays(8)).status]).toEqual([201, 400]);
    } finally {
      await server.stop();
      await storage.remove();
    }
  });
});
