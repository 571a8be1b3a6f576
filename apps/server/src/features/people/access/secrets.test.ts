import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { useServer } from '#testing/server.ts';

const adminPassword = 'weak-but-taken';
const expiresAt = '2099-01-01T00:00:00Z';

describe('secrets', () => {
  const server = useServer({ adminPassword });

  it('appear only in the answer that creates them: in no other answer, event or log line', async () => {
    const { admin, anonymous } = server();
    const user = await givenUser(server(), 'Admin');
    const session = await logIn(anonymous, user);
    const newPassword = 'Another-Passw0rd';
    const secrets = [adminPassword, user.password, newPassword, session.cookie.slice('yardarm-session='.length)];
    const body = { description: 'first', expiresAt };
    secrets.push((await anonymous.call('POST /api/admin/user/tokens', { headers: session, body })).json.secret);
    const { json: account } = await admin.call('POST /api/admin/service-account', {
      body: { username: 'robot', name: 'x', rootRole: 3 },
    });
    const params = { id: account.id };
    secrets.push((await admin.call('POST /api/admin/service-account/:id/token', { params, body })).json.secret);
    const answers = [
      await anonymous.call('POST /auth/simple/login', {
        body: { username: user.username, password: 'Wrong-Passw0rd' },
      }),
      await anonymous.call('POST /api/admin/user/change-password', {
        headers: session,
        body: { password: newPassword, confirmPassword: newPassword, oldPassword: user.password },
      }),
      await anonymous.call('GET /api/admin/user', { headers: session }),
      await anonymous.call('GET /api/admin/user/tokens', { headers: session }),
      await admin.call('GET /api/admin/user-admin'),
      await admin.call('GET /api/admin/user-admin/:id', { params: { id: user.id } }),
      await admin.call('GET /api/admin/service-account'),
      await admin.call('GET /api/admin/service-account/:id/token', { params }),
      await admin.call('GET /api/admin/events', { query: { limit: 1000 } }),
    ];
    const seen = [...answers.map((answer) => answer.text), ...server().logged].join('\n');
    expect(seen).toContain('passwordChanged');
    expect(seen).toContain('weak password');
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10);
      expect(seen).not.toContain(secret);
    }
    expect(seen).not.toContain('$argon2');
  });
});
