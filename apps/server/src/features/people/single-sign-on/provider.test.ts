import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IdentityProvider } from '#testing/identity-provider.ts';
import { useServer } from '#testing/server.ts';
import { aStranger, Browser, givenProvider, setOidc } from '#testing/single-sign-on.ts';

const server = useServer({ oidcTimeoutSeconds: 1 });
let idp: IdentityProvider;

beforeAll(async () => {
  idp = await givenProvider(server());
});
afterAll(() => idp.stop());
beforeEach(async () => {
  idp.mischief = {};
  idp.user = aStranger();
  await setOidc(server(), { autoCreate: true, enableGroupSyncing: false, emailDomains: '', defaultRootRoleId: null });
});

describe('a broken provider', () => {
  const begin = () => server().anonymous.call('GET /auth/oidc/login');

  it('answers 502 when it cannot be reached, and is called again at the next login', async () => {
    await setOidc(server(), { discoverUrl: 'http://127.0.0.1:1' });
    const reply = await begin();
    expect(reply.status).toBe(502);
    expect(reply.json).toMatchObject({
      name: 'BadGatewayError',
      message: expect.stringContaining('cannot be reached'),
    });
    await setOidc(server(), { discoverUrl: idp.issuer });
    expect((await begin()).status).toBe(302);
  });

  it('answers 504 when it does not answer in time', async () => {
    idp.mischief.isSilent = true;
    server().clock.advance(11 * 60_000);
    const reply = await begin();
    expect(`${reply.status} ${reply.json.name}`).toBe('504 GatewayTimeoutError');
    idp.mischief = {};
    expect((await begin()).status).toBe(302);
  });

  it('is refused when its issuer is another', async () => {
    idp.mischief.discovery = (document) => ({ ...document, issuer: 'https://evil.example.com' });
    await setOidc(server(), { discoverUrl: `${idp.issuer}/.well-known/openid-configuration` });
    server().clock.advance(11 * 60_000);
    expect((await begin()).status).toBe(502);
    idp.mischief = {};
    expect((await begin()).status).toBe(302);
  });

  it('is not sent secrets over plain HTTP', async () => {
    idp.mischief.discovery = (document) => ({ ...document, token_endpoint: 'http://id.example.com/token' });
    server().clock.advance(11 * 60_000);
    const browser = new Browser();
    expect((await browser.logIn(server())).status).toBe(502);
    idp.mischief = {};
    server().clock.advance(11 * 60_000);
  });

  it('does not get a request for its discovery document at each login', async () => {
    await begin();
    const before = idp.requested.length;
    await begin();
    expect(idp.requested.slice(before)).toEqual([]);
  });
});
