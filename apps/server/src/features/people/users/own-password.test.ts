import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { useServer } from '#testing/server.ts';

describe('changing my password', () => {
  const server = useServer();

  it('never overwrites a password that an administrator sets at the same time', async () => {
    const user = await givenUser(server());
    const headers = await logIn(server().anonymous, user);
    const statusWith = async (password: string) =>
      (await server().anonymous.call('POST /auth/simple/login', { body: { username: user.username, password } }))
        .status;
    const [mine, another] = ['Mine-Passw0rd!', 'Reset-Passw0rd!'];
    // The administrator resets the password to lock out a person who knows the old one.
    const [own, reset] = await Promise.all([
      server().anonymous.call('POST /api/admin/user/change-password', {
        headers,
        body: { oldPassword: user.password, password: mine, confirmPassword: mine },
      }),
      server().admin.call('POST /api/admin/user-admin/:id/change-password', {
        params: { id: user.id },
        body: { password: another },
      }),
    ]);
    expect(reset.status).toBe(200);
    // The user's own change is answered 200 when it came before the reset, which then replaced the password.
    expect([200, 401]).toContain(own.status);
    expect(await statusWith(another)).toBe(200);
    expect(await statusWith(mine)).toBe(401);
  });
});
