import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '../../../testing/people.ts';
import { useServer } from '../../../testing/server.ts';

describe('changing my password', () => {
  const server = useServer();

  it('never takes back what an administrator has set meanwhile', async () => {
    const user = await givenUser(server());
    const headers = await logIn(server().nobody, user);
    const statusWith = async (password: string) =>
      (await server().nobody.call('POST /auth/simple/login', { body: { username: user.username, password } })).status;
    const [mine, another] = ['Mine-Passw0rd!', 'Reset-Passw0rd!'];
    // Whoever knows the old password is who the administrator wants to be rid of.
    const [own, reset] = await Promise.all([
      server().nobody.call('POST /api/admin/user/change-password', {
        headers,
        body: { oldPassword: user.password, password: mine, confirmPassword: mine },
      }),
      server().admin.call('POST /api/admin/user-admin/:id/change-password', {
        params: { id: user.id },
        body: { password: another },
      }),
    ]);
    expect(reset.status).toBe(200);
    // 200 when it came first and was undone by the reset.
    expect([200, 401]).toContain(own.status);
    expect(await statusWith(another)).toBe(200);
    expect(await statusWith(mine)).toBe(401);
  });
});
