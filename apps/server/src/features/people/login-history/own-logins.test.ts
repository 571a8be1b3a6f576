import { describe, expect, it } from 'vitest';
import { type GivenUser, givenUser, logIn } from '#testing/people.ts';
import { useServer } from '#testing/server.ts';

describe('a user who logs in', () => {
  const server = useServer({ trustProxy: 1 });
  const login = ({ username }: Pick<GivenUser, 'username'>, password: string, from = '192.0.2.1') =>
    server().anonymous.call('POST /auth/simple/login', {
      body: { username, password },
      headers: { 'x-forwarded-for': from },
    });

  it('gets the time of the last login and the number of failed logins since', async () => {
    const user = await givenUser(server());
    expect((await login(user, user.password)).json).toMatchObject({ failedLogins: 0, lastLoginAt: null });
    const lastLoginAt = new Date(server().clock.now()).toISOString();
    server().clock.advance(60_000);
    await login(user, 'wrong');
    await login({ username: `${user.username}@example.com` }, 'wrong too');
    await login({ username: 'another-name' }, 'wrong');
    expect((await login(user, user.password)).json).toMatchObject({ failedLogins: 2, lastLoginAt });
    expect((await login(user, user.password)).json).toMatchObject({ failedLogins: 0 });
  });

  it('sees only their own logins, with the client addresses', async () => {
    const [user, other] = [await givenUser(server()), await givenUser(server())];
    await login(user, user.password);
    await login(user, 'Not-My-Passw0rd', '203.0.113.9');
    await login(other, 'wrong');
    const headers = await logIn(server().anonymous, user);
    const reply = await server().anonymous.call('GET /api/admin/user/logins', { headers });
    expect(reply.json.events).toMatchObject([
      { username: user.username, successful: true, failure_reason: null },
      { username: user.username, successful: false, ip: '203.0.113.9', failure_reason: 'wrong user name or password' },
      { username: user.username, successful: true, ip: '192.0.2.1' },
    ]);
    expect(reply.text).not.toContain('Not-My-Passw0rd');
  });

  it('sees the last 20 logins', async () => {
    const user = await givenUser(server());
    for (let n = 0; n < 21; n++) await login(user, n % 3 === 0 ? user.password : 'wrong');
    const headers = await logIn(server().anonymous, user);
    const { json } = await server().anonymous.call('GET /api/admin/user/logins', { headers });
    expect(json.events).toHaveLength(20);
  });
});
