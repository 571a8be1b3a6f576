import { describe, expect, it } from 'vitest';
import type { Call } from '#testing/client.ts';
import { type GivenUser, givenUser, logIn } from '#testing/people.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const password = 'Another-Passw0rd';

/** The three ways to set a password; `more` is added to the body. */
const ways: readonly [string, (server: TestServer, user: GivenUser, more: object) => Promise<number>][] = [
  [
    'by a link',
    async (server, { id }, more) => {
      const { json } = await server.admin.call('POST /api/admin/user-admin/reset-password', { body: { id } });
      const token = new URL(json.resetPasswordUrl).searchParams.get('token');
      return (await server.anonymous.call('POST /auth/reset/password', { body: { token, password, ...more } })).status;
    },
  ],
  [
    'of another user',
    async (server, { id }, more) => {
      const call: Call = { params: { id }, body: { password, ...more } };
      return (await server.admin.call('POST /api/admin/user-admin/:id/change-password', call)).status;
    },
  ],
  [
    'of my own',
    async (server, user, more) => {
      const body = { password, confirmPassword: password, oldPassword: user.password, ...more };
      const call: Call = { headers: await logIn(server.anonymous, user), body };
      return (await server.anonymous.call('POST /api/admin/user/change-password', call)).status;
    },
  ],
];

describe.each(ways)('setting a password %s', (way, set) => {
  const server = useServer();
  const givenTokens = async () => {
    const user = await givenUser(server());
    const headers = await logIn(server().anonymous, user);
    const secrets: string[] = [];
    for (const description of ['laptop', 'build']) {
      const body = { description, expiresAt: '2099-01-01T00:00:00Z' };
      secrets.push((await server().anonymous.call('POST /api/admin/user/tokens', { headers, body })).json.secret);
    }
    const statuses = () =>
      Promise.all(secrets.map(async (secret) => (await server().client(secret).call('GET /api/admin/user')).status));
    expect(await statuses()).toEqual([200, 200]);
    return { user, statuses, before: await lastEventId(server()) };
  };

  it('deletes all personal tokens with revokeTokens, with an event for each', async () => {
    const { user, statuses, before } = await givenTokens();
    expect(await set(server(), user, { revokeTokens: true })).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
    const recorded = await eventsAfter(server(), before);
    expect(recorded.filter(({ type }) => type !== 'user-logged-in')).toMatchObject([
      { type: 'session-ended', data: { userId: user.id, reason: 'password changed' } },
      { type: 'user-updated', data: { id: user.id, passwordChanged: true } },
      { type: 'pat-deleted', preData: null, data: { description: 'laptop', userId: user.id } },
      { type: 'pat-deleted', preData: null, data: { description: 'build', userId: user.id } },
    ]);
  });

  it('keeps personal tokens with revokeTokens false', async () => {
    const { user, statuses } = await givenTokens();
    expect(await set(server(), user, { revokeTokens: false })).toBe(200);
    expect(await statuses()).toEqual([200, 200]);
  });

  const isReset = way !== 'of my own';
  it(`${isReset ? 'deletes' : 'keeps'} personal tokens without revokeTokens`, async () => {
    const { user, statuses } = await givenTokens();
    expect(await set(server(), user, {})).toBe(200);
    expect(await statuses()).toEqual(isReset ? [401, 401] : [200, 200]);
  });

  it('answers 400 when revokeTokens is not a boolean', async () => {
    const { user, statuses } = await givenTokens();
    expect(await set(server(), user, { revokeTokens: 'yes' })).toBe(400);
    expect(await statuses()).toEqual([200, 200]);
  });
});
