import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import {
  aStranger,
  Browser,
  expectRefusal,
  givenProvider,
  lastLogin,
  payloadOf,
  setOidc,
  useProvider,
  whoIs,
  without,
} from '#testing/single-sign-on.ts';
import { singleSignOnScenarios } from './single-sign-on.scenarios.ts';

describe('routes of single sign-on', () => testScenarios(useServer(), singleSignOnScenarios));

const server = useServer();
const provider = useProvider(server);

describe('a login through an OpenID Connect provider', () => {
  it('logs in the user with that e-mail address', async () => {
    const user = await givenUser(server(), 'Editor');
    provider().user = { sub: 'x', email: `${user.username}@Example.com`, email_verified: true };
    const browser = new Browser();
    const before = await lastEventId(server());
    const reply = await browser.logIn(server());
    expect(`${reply.status} ${reply.text}`).toBe('302 ');
    expect(reply.headers.get('location')).toBe('/');
    expect((await whoIs(browser, server())).json.user).toMatchObject({ id: user.id, rootRole: 2 });
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'user-logged-in', createdByUserId: user.id, data: { userId: user.id, authType: 'oidc' } },
    ]);
    expect(await lastLogin(server())).toMatchObject({
      username: `${user.username}@example.com`,
      auth_type: 'oidc',
      successful: true,
      ip: '127.0.0.1',
      failure_reason: null,
    });
  });

  it('creates a user once, at the first login, with the role of the settings', async () => {
    await setOidc(server(), { defaultRootRole: 'Viewer' });
    const before = await lastEventId(server());
    const browser = new Browser();
    expect((await browser.logIn(server())).status).toBe(302);
    const { user } = (await whoIs(browser, server())).json;
    expect(user).toMatchObject({ name: 'A Stranger', email: provider().user['email'], rootRole: 3 });
    expect((await new Browser().logIn(server())).status).toBe(302);
    expect(await eventsAfter(server(), before)).toMatchObject([
      {
        type: 'user-created',
        createdByUserId: -1337,
        data: { id: user.id, name: 'A Stranger', email: provider().user['email'], rootRole: 3 },
      },
      { type: 'user-logged-in' },
      { type: 'user-logged-in' },
    ]);
  });

  it('creates no user when autoCreate is off', async () => {
    await setOidc(server(), { autoCreate: false });
    await expectRefusal(server(), 403, 'Ask an administrator');
    expect(await lastLogin(server())).toMatchObject({
      username: provider().user['email'],
      successful: false,
      failure_reason: expect.stringContaining('There is no user'),
    });
  });

  it('redirects a browser to the login page with the reason in a cookie when it fails', async () => {
    await setOidc(server(), { autoCreate: false });
    const browser = new Browser({ pages: true });
    const reply = await browser.logIn(server());
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/login']);
    const [reason, cleared] = reply.headers.getSetCookie() as [string, string];
    expect(decodeURIComponent(reason)).toMatch(
      /^yardarm-login-refused=.*Ask an administrator.*; Max-Age=60; Path=\/; SameSite=Lax$/,
    );
    expect(cleared).toMatch(/^yardarm-login-[\w-]{12}=; /);
    expect((await whoIs(browser, server())).status).toBe(401);
    const stray = await browser.get(`${server().url}/auth/oidc/callback?state=x`);
    expect([stray.status, stray.headers.get('location')]).toEqual([302, '/login']);
  });

  it('creates no user with an e-mail address of another domain', async () => {
    await setOidc(server(), { emailDomains: 'Example.org, @corp.example.net' });
    for (const email of ['a@example.com', 'a@sub.example.org', 'a@example.org.evil.com', 'a@notexample.org']) {
      provider().user = aStranger({ email });
      await expectRefusal(server(), 403, 'not allowed for new users');
    }
    provider().user = aStranger({ email: 'Somebody@CORP.example.net' });
    expect((await new Browser().logIn(server())).status).toBe(302);
  });

  /** Which claims verify an address: the standard one decides, and Entra's xms_edov only where it is missing. */
  const verifications: readonly [claims: object, isVerified: boolean][] = [
    [{ email_verified: true }, true],
    ...[false, 'true', 'no', '', 1, 0, ['true'], {}].map((value): [object, boolean] => [
      { email_verified: value },
      false,
    ]),
    [{ email_verified: undefined }, false],
    [{ email_verified: null }, false],
    ...[true, 1, '1', 'true'].map((value): [object, boolean] => [{ email_verified: undefined, xms_edov: value }, true]),
    ...[false, 0, '0', 'false', 'True', '', 2, ['1'], {}, null].map((value): [object, boolean] => [
      { email_verified: undefined, xms_edov: value },
      false,
    ]),
    [{ email_verified: null, xms_edov: '1' }, true],
    [{ email_verified: true, xms_edov: false }, true],
    ...[false, 'true', 1].map((value): [object, boolean] => [{ email_verified: value, xms_edov: true }, false]),
  ];

  it.each(verifications)('with the claims %j: the address is verified: %s', async (claims, isVerified) => {
    const { username } = await givenUser(server(), 'Admin');
    provider().user = aStranger({ email: `${username}@example.com`, ...claims });
    if (!isVerified) return expectRefusal(server(), 403, 'verified');
    const browser = new Browser();
    expect((await browser.logIn(server())).status).toBe(302);
    expect((await whoIs(browser, server())).json.user.username).toBe(username);
  });

  it.each([
    ['a Kelvin sign', (name: string) => name.replace('k', '\u212a')],
    ['a letter that NFKC turns into another', (name: string) => name.replace('k', '\uff4b')],
  ])('takes over no account by an address with %s', async (_what, changed) => {
    const email = `kim-${Date.now()}@example.com`;
    const body = { email, name: 'Kim', password: 'A-Good-Passw0rd', rootRole: 'Admin' };
    expect((await server().admin.call('POST /api/admin/user-admin', { body })).status).toBe(201);
    provider().user = aStranger({ email: changed(email) });
    await expectRefusal(server(), 403, 'mistaken');
  });

  it('accepts an address without a verification claim when the settings allow it, but never an unverified one', async () => {
    await setOidc(server(), { trustMissingEmailVerified: true });
    provider().user = aStranger({ email_verified: undefined });
    expect((await new Browser().logIn(server())).status).toBe(302);
    provider().user = aStranger({ email_verified: false });
    await expectRefusal(server(), 403, 'verified');
    await setOidc(server(), { trustMissingEmailVerified: false });
  });

  it.each([{ email: undefined }, { email: '' }, { email: 'no address' }, { email: 'a@b\u0000' }])(
    'refuses who has no e-mail address: %o',
    async (claims) => {
      provider().user = aStranger(claims);
      await expectRefusal(server(), 403, 'e-mail address');
    },
  );

  it('never uses a service account, or an account whose user name is the address', async () => {
    const { email } = provider().user;
    await server().admin.call('POST /api/admin/service-account', {
      body: { username: email, name: 'A robot', rootRole: 1 },
    });
    await expectRefusal(server(), 403, 'Another account');
  });

  it('ends when its user is deleted, who cannot log in again', async () => {
    await setOidc(server(), { autoCreate: false });
    const user = await givenUser(server());
    provider().user = aStranger({ email: `${user.username}@example.com` });
    const browser = new Browser();
    await browser.logIn(server());
    expect((await whoIs(browser, server())).status).toBe(200);
    await server().admin.call('DELETE /api/admin/user-admin/:id', { params: { id: user.id } });
    expect((await whoIs(browser, server())).status).toBe(401);
    await expectRefusal(server(), 403, 'There is no user');
  });

  it('reads claims that the ID token lacks from the UserInfo endpoint', async () => {
    provider().mischief.token = (answer) => ({
      ...answer,
      id_token: provider().jwt(without(payloadOf(answer.id_token), 'email')),
    });
    const browser = new Browser();
    expect((await browser.logIn(server())).status).toBe(302);
    expect((await whoIs(browser, server())).json.user.email).toBe(provider().user['email']);
  });

  it('does not trust an address of the UserInfo endpoint because the ID token, which has none, says that it is verified', async () => {
    const { username } = await givenUser(server(), 'Admin');
    provider().user = aStranger({ email: `${username}@example.com`, email_verified: undefined });
    provider().mischief.token = (answer) => ({
      ...answer,
      id_token: provider().jwt({ ...without(payloadOf(answer.id_token), 'email'), email_verified: true }),
    });
    await expectRefusal(server(), 403, 'verified');
  });

  it('sends the acr_values and the groups scope of the settings', async () => {
    await setOidc(server(), { acrValues: 'mfa', addGroupsScope: true });
    const { headers } = await new Browser().get(`${server().url}/auth/oidc/login`);
    const { searchParams } = new URL(headers.get('location') as string);
    expect(searchParams.get('acr_values')).toBe('mfa');
    expect(searchParams.get('scope')).toBe('openid email profile groups');
    await setOidc(server(), { acrValues: '', addGroupsScope: false });
  });
});

describe('the redirect after a login', () => {
  it.each([
    ['/projects/default?tab=1#x', '/projects/default?tab=1#x'],
    ['https://evil.example.com/', '/'],
    ['//evil.example.com', '/'],
    ['/\\evil.example.com', '/'],
    ['/\t/evil.example.com', '/'],
    ['/.//evil.example.com', '/'],
    ['javascript:alert(1)', '/'],
    ['evil', '/'],
  ])('of %s leads to %s', async (redirect, target) => {
    const reply = await new Browser().logIn(server(), `?${new URLSearchParams({ redirect })}`);
    expect(reply.headers.get('location')).toBe(target);
  });
});

describe('logging out', () => {
  it('redirects to the provider when single sign-out is on, except after a login with a password', async () => {
    await setOidc(server(), { enableSingleSignOut: true });
    const browser = new Browser();
    await browser.logIn(server());
    const session = browser.cookiesOf(server().url);
    const reply = await server().anonymous.request('POST', '/logout', { headers: session });
    expect(reply.status).toBe(302);
    const url = new URL(reply.headers.get('location') as string);
    expect(url.origin).toBe(provider().issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${server().url}/`);
    expect(payloadOf(url.searchParams.get('id_token_hint') as string)['sub']).toBe(provider().user.sub);
    expect((await whoIs(browser, server())).status).toBe(401);
    expect((await browser.get(url.href)).status).toBe(200);
    const withPassword = await logIn(server().anonymous, await givenUser(server()));
    const other = await server().anonymous.request('POST', '/logout', { headers: withPassword });
    expect(other.headers.get('location')).toBe('/signed-out');
  });

  it('works while the provider is down', async () => {
    const browser = new Browser();
    await browser.logIn(server());
    server().clock.advance(11 * 60_000);
    await setOidc(server(), { discoverUrl: 'http://127.0.0.1:1' });
    const reply = await server().anonymous.request('POST', '/logout', { headers: browser.cookiesOf(server().url) });
    expect(`${reply.status} ${reply.headers.get('location')}`).toBe('302 /signed-out');
    expect((await whoIs(browser, server())).status).toBe(401);
    await setOidc(server(), { discoverUrl: provider().issuer, enableSingleSignOut: false });
  });
});

describe('logins through a provider', () => {
  const limited = useServer({ loginRatePerMinute: 2 });
  it('are limited by client address', async () => {
    const own = await givenProvider(limited());
    const statuses: number[] = [];
    for (let times = 0; times < 3; times++)
      statuses.push((await limited().anonymous.call('GET /auth/oidc/login')).status);
    expect(statuses).toEqual([302, 302, 429]);
    await own.stop();
  });
});
