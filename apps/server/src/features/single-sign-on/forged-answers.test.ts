import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientSecret } from '../../../testing/identity-provider.ts';
import { useServer } from '../../../testing/server.ts';
import { Browser, expectRefusal, payloadOf, setOidc, useProvider, without } from '../../../testing/single-sign-on.ts';

const server = useServer();
const provider = useProvider(server);

describe('what comes back from a provider', () => {
  it('counts once: neither the state nor the code can be used again', async () => {
    const browser = new Browser();
    const callback = await browser.toCallback(server());
    const cookies = browser.cookiesOf(server().url);
    expect((await browser.get(callback)).status).toBe(302);
    const again = await server().nobody.request('GET', callback.slice(server().url.length), { headers: cookies });
    expect(again.status).toBe(401);
    const { code } = Object.fromEntries(new URL(callback).searchParams);
    const other = new URL(await browser.toCallback(server()));
    other.searchParams.set('code', code as string);
    const replayed = await browser.get(other.href);
    expect(replayed.status).toBe(401);
    expect(replayed.json).toMatchObject({ name: 'UnauthorizedError', message: expect.stringContaining('used') });
  });

  it('is refused in another browser, and with the state of another login', async () => {
    const browser = new Browser();
    const [first, second] = [await browser.toCallback(server()), await browser.toCallback(server())];
    expect((await new Browser().get(first)).status).toBe(401);
    const mixed = new URL(first);
    mixed.searchParams.set('code', new URL(second).searchParams.get('code') as string);
    // The code was made for the challenge of the second login.
    expect((await browser.get(mixed.href)).status).toBe(401);
    for (const state of ['', 'x', `${new URL(second).searchParams.get('state')}x`, '../..', '\r\nx: y']) {
      const wrong = new URL(second);
      wrong.searchParams.set('state', state);
      expect((await browser.get(wrong.href)).status).toBe(401);
    }
    expect((await browser.get(second)).status).toBe(302);
  });

  it('is refused when it took too long', async () => {
    const browser = new Browser();
    const callback = await browser.toCallback(server());
    server().clock.advance(601_000);
    expect((await browser.get(callback)).status).toBe(401);
  });

  it('may be a refusal, which is told', async () => {
    const browser = new Browser();
    const callback = new URL(await browser.toCallback(server()));
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    callback.searchParams.set('error_description', 'Not\0 today');
    const reply = await browser.get(callback.href);
    expect(reply.status).toBe(403);
    expect(reply.json.message).toContain('access_denied: Not today');
  });

  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  it.each<[string, (claims: Record<string, unknown>, token: string) => string]>([
    ['whose words were changed', (claims, token) => tampered(token, { ...claims, email: 'admin@example.com' })],
    ['that is not signed', (claims) => provider().jwt(claims, { alg: 'none' })],
    ['that says it is not signed and has a signature', (_claims, token) => tampered(token, undefined, { alg: 'none' })],
    ['that another signed', (claims) => provider().jwt(claims, { alg: 'RS256' }, stranger)],
    ['with another algorithm', (claims) => provider().jwt(claims, { alg: 'RS512' })],
    ['whose time is over', (claims) => provider().jwt({ ...claims, exp: Math.floor(Date.now() / 1000) - 700 })],
    ['of another issuer', (claims) => provider().jwt({ ...claims, iss: 'https://evil.example.com' })],
    ['for another client', (claims) => provider().jwt({ ...claims, aud: 'another' })],
    ['for another login', (claims) => provider().jwt({ ...claims, nonce: 'another' })],
    ['for no login', (claims) => provider().jwt(without(claims, 'nonce'))],
    ['of nobody', (claims) => provider().jwt(without(claims, 'sub'))],
  ])('is refused with a token %s', async (_what, make) => {
    provider().mischief.token = (answer) => ({
      ...answer,
      id_token: make(payloadOf(answer.id_token), answer.id_token),
    });
    await expectRefusal(server(), 401, 'does not hold');
    const log = server().logged.join('\n');
    expect(log).not.toContain('eyJ');
    expect(log).not.toContain(clientSecret);
  });

  it('is an outage when it is no token at all', async () => {
    provider().mischief.token = (answer) => ({ ...answer, id_token: 'not.a.token' });
    expect((await new Browser().logIn(server())).status).toBe(502);
  });

  it('is taken from a clock that is a little late', async () => {
    provider().mischief.token = (answer) => {
      const now = Math.floor(server().clock.now() / 1000);
      return { ...answer, id_token: provider().jwt({ ...payloadOf(answer.id_token), iat: now + 30, exp: now - 30 }) };
    };
    expect((await new Browser().logIn(server())).status).toBe(302);
  });

  it('is taken at once after the provider has changed its key', async () => {
    expect((await new Browser().logIn(server())).status).toBe(302);
    await provider().rotateKey();
    expect((await new Browser().logIn(server())).status).toBe(302);
  });
});

describe('PKCE', () => {
  it('binds the code to the login, and can be left out', async () => {
    const location = async () =>
      new URL((await new Browser().get(`${server().url}/auth/oidc/login`)).headers.get('location') as string);
    expect((await location()).searchParams.get('code_challenge_method')).toBe('S256');
    await setOidc(server(), { enablePkce: false });
    expect((await location()).searchParams.get('code_challenge')).toBeNull();
    expect((await new Browser().logIn(server())).status).toBe(302);
    await setOidc(server(), { enablePkce: true });
  });
});

/** The token with other words and the signature of the first. */
function tampered(token: string, claims?: object, header?: object): string {
  const [head, body, signature] = token.split('.') as [string, string, string];
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [header === undefined ? head : part(header), claims === undefined ? body : part(claims), signature].join('.');
}
