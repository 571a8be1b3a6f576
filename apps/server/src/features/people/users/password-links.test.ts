import { describe, expect, it } from 'vitest';
import { givenUser, goodPassword, logIn } from '#testing/people.ts';
import { useServer } from '#testing/server.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('a password link', () => {
  const server = useServer();

  const linkFor = async (id: number) => {
    const { json } = await server().admin.call('POST /api/admin/user-admin/reset-password', { body: { id } });
    return new URL(json.resetPasswordUrl).searchParams.get('token') ?? '';
  };
  const reset = async (token: string, password: string) =>
    (await server().anonymous.call('POST /auth/reset/password', { body: { token, password } })).status;

  it('replaces the password and ends the sessions of the user', async () => {
    const user = await givenUser(server());
    const headers = await logIn(server().anonymous, user);
    expect(await reset(await linkFor(user.id), 'Changed-Passw0rd')).toBe(200);
    expect((await server().anonymous.call('GET /api/admin/user', { headers })).status).toBe(401);
    await expect(logIn(server().anonymous, user)).rejects.toThrow('401');
    await logIn(server().anonymous, { ...user, password: 'Changed-Passw0rd' });
  });

  it('is returned when a user is created without a password', async () => {
    const body = { username: 'newcomer', rootRole: 'Viewer' };
    const { json } = await server().admin.call('POST /api/admin/user-admin', { body });
    const token = new URL(json.inviteLink).searchParams.get('token') ?? '';
    expect(await reset(token, goodPassword)).toBe(200);
    await logIn(server().anonymous, { username: 'newcomer', password: goodPassword });
  });

  it('expires after a day', async () => {
    const { id } = await givenUser(server());
    const token = await linkFor(id);
    server().clock.advance(dayMs);
    expect(await reset(token, 'Changed-Passw0rd')).toBe(401);
  });

  it('ends when an administrator sets a password', async () => {
    const { id } = await givenUser(server());
    const token = await linkFor(id);
    const body = { password: 'Set-By-Adm1nistrator' };
    await server().admin.call('POST /api/admin/user-admin/:id/change-password', { params: { id }, body });
    expect(await reset(token, 'Changed-Passw0rd')).toBe(401);
  });

  it('ends when the e-mail address of the user changes: an invitation may have gone to the wrong address', async () => {
    const body = { name: 'Ada', email: 'adda@example.com', rootRole: 2 };
    const { id, inviteLink } = (await server().admin.call('POST /api/admin/user-admin', { body })).json;
    const token = new URL(inviteLink).searchParams.get('token') ?? '';
    const validate = () => server().anonymous.call('GET /auth/reset/validate', { query: { token } });
    const update = (change: object) =>
      server().admin.call('PUT /api/admin/user-admin/:id', { params: { id }, body: change });
    expect((await update({ name: 'Ada Lovelace' })).status).toBe(200);
    expect((await validate()).status).toBe(200);
    expect((await update({ email: 'ada@example.com' })).status).toBe(200);
    expect((await validate()).status).toBe(401);
  });

  it('works only once when two requests use it at the same time', async () => {
    const { id } = await givenUser(server());
    const token = await linkFor(id);
    const statuses = await Promise.all([reset(token, 'Changed-Passw0rd1'), reset(token, 'Changed-Passw0rd2')]);
    expect(statuses.toSorted()).toEqual([200, 403]);
  });
});

describe('the last five passwords of a user', () => {
  const server = useServer();

  it('are refused, also from an administrator; an older password is accepted', async () => {
    const { id } = await givenUser(server());
    const set = async (password: string) => {
      const reply = await server().admin.call('POST /api/admin/user-admin/:id/change-password', {
        params: { id },
        body: { password },
      });
      return reply.status === 200 ? 'taken' : reply.json.name;
    };
    for (const digit of [1, 2, 3, 4]) expect(await set(`Passw0rd-Number-${digit}`)).toBe('taken');
    expect(await set(goodPassword)).toBe('PasswordPreviouslyUsedError');
    expect(await set('Passw0rd-Number-4')).toBe('PasswordPreviouslyUsedError');
    expect(await set('Passw0rd-Number-5')).toBe('taken');
    expect(await set(goodPassword)).toBe('taken');
  });
});
