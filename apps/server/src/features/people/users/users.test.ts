import { describe, expect, it } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { userScenarios } from './users.scenarios.ts';

describe('user routes', () => testScenarios(useServer(), userScenarios));

describe('creating users', () => {
  const server = useServer({ createUserRatePerMinute: 2 });

  it('is limited per minute and client address', async () => {
    const create = (username: string) =>
      server().admin.call('POST /api/admin/user-admin', { body: { username, rootRole: 'Viewer' } });
    expect((await create('first')).status).toBe(201);
    // Invalid requests do not count towards the rate limit.
    expect((await create('')).status).toBe(400);
    expect((await create('second')).status).toBe(201);
    const reply = await create('third');
    expect(reply.status).toBe(429);
    expect(reply.json).toMatchObject({ name: 'RateLimitError' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=2;w=60');
    const { json } = await server().admin.call('GET /api/admin/user-admin');
    const names = json.users.map(({ username }: { username: string }) => username);
    expect(names).toEqual(expect.arrayContaining(['first', 'second']));
    expect(names).not.toContain('third');
  });
});

describe('a user', () => {
  const server = useServer();

  it('may have its user name as its e-mail address, but not the user name of another user, in any case', async () => {
    const create = async (username: string) =>
      (await server().admin.call('POST /api/admin/user-admin', { body: { username, rootRole: 'Viewer' } })).json.id;
    const [id] = [await create('ann@example.com'), await create('Bob@Example.com')];
    const setEmail = (email: string) =>
      server().admin.call('PUT /api/admin/user-admin/:id', { params: { id }, body: { email } });
    expect((await setEmail('bob@example.com')).status).toBe(400);
    const body = { email: 'BOB@example.com', rootRole: 'Viewer' };
    expect((await server().admin.call('POST /api/admin/user-admin', { body })).status).toBe(400);
    const own = await setEmail('ann@example.com');
    expect(own.status).toBe(200);
    expect(own.json).toMatchObject({ username: 'ann@example.com', email: 'ann@example.com' });
  });

  it('without a name or an e-mail address is shown without them', async () => {
    const body = { username: 'nameless', rootRole: 'Viewer' };
    const { json } = await server().admin.call('POST /api/admin/user-admin', { body });
    const shown = (await server().admin.call('GET /api/admin/user-admin/:id', { params: { id: json.id } })).json;
    expect(shown).toMatchObject({ username: 'nameless' });
    expect(shown).not.toHaveProperty('name');
    expect(shown).not.toHaveProperty('email');
  });
});
