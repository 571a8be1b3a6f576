import { expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { goodPassword, logIn } from '#testing/people.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { aStranger, Browser, useProvider, whoIs } from '#testing/single-sign-on.ts';

const server = useServer();
const provider = useProvider(server);

it('the owner of an e-mail address takes over an account that was signed up with it, and its old credentials end', async () => {
  const { json: link } = await server().admin.call('POST /api/admin/invite-link/tokens', {
    body: { name: freshName('link'), expiresAt: '2099-01-01T00:00:00.000Z' },
  });
  const email = `${freshName('owner')}@example.com`;
  const guest = { name: 'A guest', email, password: goodPassword };
  const joined = await server().anonymous.call('POST /invite/:token/signup', {
    params: { token: link.secret },
    body: guest,
  });
  expect(joined.status).toBe(201);
  const session = await logIn(server().anonymous, { username: email, password: goodPassword });
  const made = await server().anonymous.call('POST /api/admin/user/tokens', {
    headers: session,
    body: { description: 'kept for later', expiresAt: '2099-01-01T00:00:00.000Z' },
  });
  const token = server().client(made.json.secret);
  const statuses = async () => [
    (await server().anonymous.call('GET /api/admin/user', { headers: session })).status,
    (await token.call('GET /api/admin/user')).status,
    (await server().anonymous.call('POST /auth/simple/login', { body: { username: email, password: goodPassword } }))
      .status,
  ];
  expect(await statuses()).toEqual([200, 200, 200]);
  provider().user = aStranger({ email });
  const before = await lastEventId(server());
  const browser = new Browser();
  expect((await browser.logIn(server())).status).toBe(302);
  expect((await whoIs(browser, server())).json.user.email).toBe(email);
  expect(await statuses()).toEqual([401, 401, 401]);
  expect(await eventsAfter(server(), before)).toMatchObject([
    { type: 'session-ended' },
    { type: 'user-updated', data: { email, passwordChanged: true } },
    { type: 'pat-deleted', data: { description: 'kept for later' } },
    { type: 'user-logged-in' },
  ]);
});
