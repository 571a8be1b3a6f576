import { describe, expect, it } from 'vitest';
import type { Identity } from '#kernel/caller.ts';
import { givenCaller } from '#testing/access.ts';
import { freshName, givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';
import { tokenScenarios } from './api-tokens.scenarios.ts';
import { requireUse } from './commands.ts';

describe('API token routes', () => testScenarios(useServer(), tokenScenarios));

/** Returns the status that an SDK with this token gets. */
async function knock(server: TestServer, secret: string): Promise<number> {
  return (await server.client(secret).call('GET /api/client/features')).status;
}

describe('an API token', () => {
  const server = useServer();

  it('is refused as soon as it is deleted', async () => {
    const { id, secret } = await givenToken(server());
    expect(await knock(server(), secret)).toBe(200);
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: id } });
    expect(await knock(server(), secret)).toBe(401);
  });

  it('is refused as soon as a nearer expiry has passed', async () => {
    const { clock } = server();
    const { secret } = await givenToken(server());
    expect(await knock(server(), secret)).toBe(200);
    await server().admin.call('PUT /api/admin/api-tokens/:token', {
      params: { token: secret },
      body: { expiresAt: new Date(clock.now() + 1000).toISOString() },
    });
    expect(await knock(server(), secret)).toBe(200);
    clock.advance(1000);
    expect(await knock(server(), secret)).toBe(401);
  });

  it('is deleted by a secret that begins with a digit, as the name of its project does', async () => {
    const id = `2026-${freshName('project')}`;
    await server().admin.call('POST /api/admin/projects', { body: { id, name: id } });
    const { secret } = await givenToken(server(), { projects: [id] });
    expect(secret).toMatch(/^2026-/);
    expect(await knock(server(), secret)).toBe(200);
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: secret } });
    expect(await knock(server(), secret)).toBe(401);
  });

  it('is refused after it expires', async () => {
    const { clock } = server();
    const expiresAt = new Date(clock.now() + 1000).toISOString();
    const { secret } = await givenToken(server(), { expiresAt });
    expect(await knock(server(), secret)).toBe(200);
    clock.advance(1000);
    expect(await knock(server(), secret)).toBe(401);
  });

  it('shows its secret in no list, no event and no log', async () => {
    const { id, secret } = await givenToken(server());
    await knock(server(), secret);
    await server().admin.call('PUT /api/admin/api-tokens/:token', {
      params: { token: id },
      body: { expiresAt: '2099-01-01T00:00:00.000Z' },
    });
    const seen = [
      await server().admin.call('GET /api/admin/api-tokens'),
      await server().admin.call('GET /api/admin/events'),
    ].map(({ text }) => text);
    const own = secret.slice(secret.indexOf('.') + 1);
    expect([...seen, ...server().logged].join('\n')).not.toContain(own);
  });

  it('needs the permission for its type', () => {
    const caller = (...permissions: string[]): Identity => ({
      actor: { userId: 1, name: 'someone' },
      kind: 'user',
      sessionId: null,
      tokenId: null,
      can: (permission) => permissions.includes(permission),
      canSomewhere: (permission) => permissions.includes(permission),
      hidden: new Set(),
    });
    const ofBackend = caller('CREATE_CLIENT_API_TOKEN');
    expect(() => requireUse(ofBackend, 'CREATE', 'backend')).not.toThrow();
    expect(() => requireUse(ofBackend, 'CREATE', 'client')).not.toThrow();
    expect(() => requireUse(ofBackend, 'CREATE', 'frontend')).toThrow('CREATE_FRONTEND_API_TOKEN');
    expect(() => requireUse(ofBackend, 'DELETE', 'backend')).toThrow('DELETE_CLIENT_API_TOKEN');
    expect(() => requireUse(ofBackend, 'CREATE', 'admin')).toThrow('ADMIN');
    expect(() => requireUse(caller('ADMIN'), 'DELETE', 'admin')).not.toThrow();
  });
});

describe('API tokens with readable secrets', () => {
  const server = useServer({ secret: 'the encryption password of the tests', readableSecrets: true });
  const listed = async (id: number) => {
    const { tokens } = (await server().admin.call('GET /api/admin/api-tokens')).json;
    return tokens.find((token: { id: number }) => token.id === id);
  };

  it('show them in lists, but not in events, the log or the database', async () => {
    const { id, secret } = await givenToken(server());
    expect(await listed(id)).toMatchObject({ secret, secure: false });
    expect(await knock(server(), secret)).toBe(200);
    const own = secret.slice(secret.indexOf('.') + 1);
    const rows = await server().app.database.db.selectFrom('api_tokens').selectAll().where('id', '=', id).execute();
    const events = (await server().admin.call('GET /api/admin/events')).text;
    expect([JSON.stringify(rows), events, ...server().logged].join('\n')).not.toContain(own);
  });

  it('are not shown in the list of a project when the token has further projects', async () => {
    await server().admin.call('POST /api/admin/projects', { body: { id: 'other', name: 'Other' } });
    const own = await givenToken(server(), { projects: ['default'] });
    const shared = await givenToken(server(), { projects: ['default', 'other'] });
    const { tokens } = (
      await server().admin.call('GET /api/admin/projects/:projectId/api-tokens', { params: { projectId: 'default' } })
    ).json;
    const byId = new Map(tokens.map((token: { id: number }) => [token.id, token]));
    expect(byId.get(own.id)).toMatchObject({ secret: own.secret });
    expect(byId.get(shared.id)).not.toHaveProperty('secret');
  });

  it('are not shown for all projects to a caller who cannot see a private project', async () => {
    await givenProject(server(), { mode: 'private' });
    const [all, own] = [await givenToken(server()), await givenToken(server(), { projects: ['default'] })];
    const { client } = await givenCaller(server(), 'Editor');
    for (const call of [{}, { params: { name: all.tokenName } }]) {
      const route = 'params' in call ? 'GET /api/admin/api-tokens/:name' : 'GET /api/admin/api-tokens';
      const reply = await client.call(route, call);
      expect([reply.status, reply.text.includes(all.tokenName)]).toEqual([200, true]);
      expect(reply.text).not.toContain(all.secret);
    }
    expect((await client.call('GET /api/admin/api-tokens')).text).toContain(own.secret);
    expect(await listed(all.id)).toMatchObject({ secret: all.secret });
  });

  it('prevent a start with another UNLEASH_SECRET, and stay valid with their own', async () => {
    const storage = await createStorage();
    const settings = { readableSecrets: true, initAdminTokens: ['*:*.of-the-administrator'] };
    const first = await startServer(storage, { ...settings, secret: 'one password' });
    const { id, secret } = await givenToken(first);
    await first.stop();
    await expect(startServer(storage, { ...settings, secret: 'another password' })).rejects.toThrow(/UNLEASH_SECRET/);
    const second = await startServer(storage, { ...settings, secret: 'one password' });
    const { tokens } = (await second.admin.call('GET /api/admin/api-tokens')).json;
    expect(tokens.find((token: { id: number }) => token.id === id)).toMatchObject({ secret });
    expect(await knock(second, secret)).toBe(200);
    await second.stop();
    await storage.remove();
  });
});

describe('the limit of API tokens', () => {
  // The token of the administrator counts, too.
  const server = useServer({ apiTokenLimit: 2 });

  it('refuses a further token, and accepts it after another is deleted', async () => {
    const { id } = await givenToken(server());
    const body = { tokenName: 'one too many', type: 'backend' };
    const refused = await server().admin.call('POST /api/admin/api-tokens', { body });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      name: 'ExceedsLimitError',
      message: expect.stringMatching(/2.*Delete a token/),
    });
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: id } });
    expect((await server().admin.call('POST /api/admin/api-tokens', { body })).status).toBe(201);
  });
});

describe('tokens from the settings', () => {
  const named = {
    initAdminTokens: ['*:*.the-first-admin'],
    initBackendTokens: ['default:production.the-first-backend'],
    initFrontendTokens: ['*:development.the-first-frontend'],
  };

  it('are created once, when there is no token', async () => {
    const storage = await createStorage();
    const first = await startServer(storage, named);
    const { tokens } = (await first.admin.call('GET /api/admin/api-tokens')).json;
    expect(tokens).toMatchObject([
      { tokenName: 'admin', type: 'admin', environment: '*', projects: ['*'] },
      { tokenName: 'admin', type: 'backend', environment: 'production', projects: ['default'] },
      { tokenName: 'admin', type: 'frontend', environment: 'development', projects: ['*'] },
    ]);
    const served = await first.client('default:production.the-first-backend').call('GET /api/client/features');
    expect(served.json.query).toMatchObject({ environment: 'production', project: ['default'] });
    await first.stop();

    const second = await startServer(storage, { ...named, initBackendTokens: ['*:development.another'] });
    expect(await knock(second, '*:development.another')).toBe(401);
    expect((await second.admin.call('GET /api/admin/api-tokens')).json.tokens).toHaveLength(3);
    await second.stop();
    await storage.remove();
  });

  it('cause a warning with the setting name when they are ignored, unless one of the type is known', async () => {
    const storage = await createStorage();
    const startedWith = async (settings: Parameters<typeof startServer>[1]) => {
      const server = await startServer(storage, { initAdminTokens: [], ...settings });
      await server.stop();
      return server.logged.filter((line) => JSON.parse(line).level === 40 && line.includes('INIT_'));
    };
    expect(await startedWith(named)).toEqual([]);
    expect(
      await startedWith({ ...named, initBackendTokens: [...named.initBackendTokens, '*:development.late'] }),
    ).toEqual([]);
    const late = { initBackendTokens: ['*:development.late'], initFrontendTokens: ['*:development.late-too'] };
    const warnings = await startedWith({ ...named, ...late });
    await storage.remove();
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      {
        settings: ['INIT_BACKEND_API_TOKENS', 'INIT_FRONTEND_API_TOKENS'],
        msg: expect.stringContaining('there are API tokens already'),
      },
    ]);
    expect(warnings.join()).not.toMatch(/late/);
  });

  it.each([
    [
      { initAdminTokens: ['default:*.keep-me-secret'] },
      'An admin token from the settings must begin with *:*., such as *:*.secret.',
    ],
    [
      { initAdminTokens: ['*:development.keep-me-secret'] },
      'An admin token from the settings must begin with *:*., such as *:*.secret.',
    ],
    [{ initBackendTokens: ['*:*.keep-me-secret'] }, 'A backend token from the settings must name one environment.'],
    [
      { initBackendTokens: ['[]:development.keep-me-secret'] },
      'A backend token from the settings must name one project or *, not [].',
    ],
    [{ initFrontendTokens: ['keep-me-secret'] }, 'An API token must look like project:environment.secret.'],
    [{ initFrontendTokens: ['default:.keep-me-secret'] }, 'An API token must look like project:environment.secret.'],
    [{ initFrontendTokens: ['default:development.'] }, 'An API token must look like project:environment.secret.'],
  ])('prevent the start when they are not valid: %j', async (wrong, message) => {
    const storage = await createStorage();
    const failure = await startServer(storage, wrong).then(
      async (server) => server.stop(),
      (error) => error as Error,
    );
    await storage.remove();
    expect(failure).toMatchObject({ name: 'BadDataError', message });
  });
});

it('the time of last use of a token is kept over a restart', async () => {
  const storage = await createStorage();
  const first = await startServer(storage);
  const { secret, tokenName } = await givenToken(first);
  await knock(first, secret);
  const usedAt = first.clock.now();
  await first.stop();

  const second = await startServer(storage, { initAdminTokens: [] });
  const db = second.app.database.db;
  const row = await db.selectFrom('api_tokens').select('seen_at').where('name', '=', tokenName).executeTakeFirst();
  await second.stop();
  await storage.remove();
  expect(row?.seen_at).toBe(usedAt);
});
