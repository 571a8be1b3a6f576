import { describe, expect, it } from 'vitest';
import { useServer } from '#testing/server.ts';

describe('a user name', () => {
  const server = useServer();
  const create = async (username: string, more: object = {}) => {
    const body = { username, rootRole: 'Viewer', ...more };
    return server().admin.call('POST /api/admin/user-admin', { body });
  };
  const statusOf = async (username: string) => (await create(username)).status;
  const names = async () =>
    (await server().admin.call('GET /api/admin/user-admin')).json.users.map(
      ({ username }: { username: string }) => username,
    );

  it.each([
    ['аda-lovelace', 'mixes Latin and Cyrillic letters'],
    ['αlpha', 'mixes Latin and Greek letters'],
    ['gгасе', 'mixes Latin and Cyrillic letters'],
    ['aրmen', 'mixes Latin and Armenian letters'],
    ['aᎠda', 'mixes Latin and Cherokee letters'],
    ['aⲟda', 'mixes Latin and Coptic letters'],
    ['ad\u200Bmin', 'contains invisible characters'],
    ['ad\u00ADmin', 'contains invisible characters'],
    ['ad\u2028min', 'contains invisible characters'],
    ['ad\u2029min', 'contains invisible characters'],
    ['ad\uFE0Fmin', 'contains invisible characters'],
    ['ad\u115Fmin', 'contains invisible characters'],
    ['ad\u1160min', 'contains invisible characters'],
    ['ad\u3164min', 'contains invisible characters'],
    ['ad\uFFA0min', 'contains invisible characters'],
  ])('%s is refused: it %s', async (username, message) => {
    const reply = await create(username);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({
      name: 'BadDataError',
      message: `The user name ${username} ${message}. Choose a name that cannot be mistaken for another.`,
      details: [{ path: 'username', message }],
    });
    expect(await names()).not.toContain(username);
  });

  it.each([
    ['a', 'аạαɑ'],
    ['b', 'вβ'],
    ['c', 'сϲς'],
    ['d', 'ԁ'],
    ['e', 'еҽε'],
    ['g', 'ɡց'],
    ['h', 'һհ'],
    ['j', 'јյ'],
    ['k', 'κк'],
    ['l', '1|iіɩιıӏǀ'],
    ['m', 'м'],
    ['n', 'нη'],
    ['o', 'оοօσ0'],
    ['p', 'рρ'],
    ['q', 'ԛզ'],
    ['r', 'гր'],
    ['s', 'ѕ'],
    ['t', 'тτ'],
    ['u', 'υս'],
    ['v', 'νѵ'],
    ['w', 'ԝѡω'],
    ['x', 'хχ'],
    ['y', 'уγ'],
  ])('of the letter %s is taken by a name of any of the letters %s', async (latin, others) => {
    expect(await statusOf(latin.repeat(5))).toBe(201);
    for (const letter of others) {
      const { status, json } = await create(letter.repeat(5));
      expect([letter, status, json.details?.[0].message]).toEqual([
        letter,
        400,
        'looks like the name of another account',
      ]);
    }
  });

  it.each([
    ['scope', 'ѕсоре'],
    ['paul1', 'paull'],
    ['Iris', 'lris'],
    ['rob0t', 'robot'],
    ['Carol', 'carol'],
    ['wide', 'ｗｉｄｅ'],
    ['ірѕ', 'lps'],
    ['оса', 'oca'],
    ['ρο', 'po'],
  ])('is refused when %s exists and the new name is %s', async (taken, username) => {
    expect(await statusOf(taken)).toBe(201);
    const reply = await create(username);
    expect(reply.status).toBe(400);
    expect(reply.json.details).toMatchObject([{ path: 'username', message: expect.stringContaining('looks like') }]);
    expect(reply.text).not.toContain(taken);
    expect(await names()).not.toContain(username);
  });

  it('is refused when it looks like the e-mail address of a user or the name of a service account', async () => {
    expect((await create('x-with-address', { email: 'paula@example.com' })).status).toBe(201);
    expect(await statusOf('PAU1A@example.com')).toBe(400);
    const body = { username: 'deployer', name: 'x', rootRole: 3 };
    expect((await server().admin.call('POST /api/admin/service-account', { body })).status).toBe(201);
    expect(await statusOf('dep1oyer')).toBe(400);
  });

  it('is also checked for service accounts and invited users', async () => {
    expect(await statusOf('operator')).toBe(201);
    const body = { username: '0perator', name: 'x', rootRole: 3 };
    const account = await server().admin.call('POST /api/admin/service-account', { body });
    expect(account.status).toBe(400);
    const link = await server().admin.call('POST /api/admin/invite-link/tokens', {
      body: { name: 'guests', expiresAt: '2099-01-01T00:00:00Z' },
    });
    const guest = await server().anonymous.call('POST /invite/:token/signup', {
      params: { token: link.json.secret },
      body: { username: 'OPERAT0R', email: 'guest@example.com', name: 'x', password: 'A-Good-Passw0rd' },
    });
    expect(guest.status).toBe(400);
  });

  it.each(['владимир', 'μαρία', 'josé', 'jose', '山田たろう', 'o’neill', 'Åsa-99', 'محمد'])(
    'may be %s',
    async (username) => expect(await statusOf(username)).toBe(201),
  );
});
