import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientSecret } from '#testing/identity-provider.ts';
import { useServer } from '#testing/server.ts';
import { Browser, expectRefusal, payloadOf, setOidc, useProvider, without } from '#testing/single-sign-on.ts';

const server = useServer();
const provider = useProvider(server);

describe('an answer of the provider', () => {
  it('is accepted once: neither the state nor the code can be used again', async () => {
    const browser = new Browser();
    const callback = await browser.toCallback(server());
    const cookies = browser.cookiesOf(server().url);
    expect((await browser.get(callback)).status).toBe(302);
    const again = await server().anonymous.request('GET', callback.slice(server().url.length), { headers: cookies });
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
    // The code belongs to the PKCE challenge of the second login.
    expect((await browser.get(mixed.href)).status).toBe(401);
    for (const state of ['', 'x', `${new URL(second).searchParams.get('state')}x`, '../..', '\r\nx: y']) {
      const wrong = new URL(second);
      wrong.searchParams.set('state', state);
      expect((await browser.get(wrong.href)).status).toBe(401);
    }
    expect((await browser.get(second)).status).toBe(302);
  });

  it('is refused after the time limit', async () => {
    const browser = new Browser();
    const callback = await browser.toCallback(server());
    server().clock.advance(601_000);
    expect((await browser.get(callback)).status).toBe(401);
  });

  it('that denies the login is shown to the user', async () => {
    const browser = new Browser();
    const callback = new URL(await browser.toCallback(server()));
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    callback.searchParams.set('error_description', 'Not\0 today');
    const reply = await browser.get(callback.href);
    expect(reply.status).toBe(403);
    expect(reply.json.message).toContain('access_denied: Not today');
  });

  it.each(['x'.repeat(453), 'x'.repeat(352), '\u7981'.repeat(500)])(
    'that denies the login with a long reason redirects a browser with a cookie that it accepts',
    async (begin) => {
      const browser = new Browser({ pages: true });
      const callback = new URL(await browser.toCallback(server()));
      callback.searchParams.delete('code');
      callback.searchParams.set('error', 'access_denied');
      callback.searchParams.set('error_description', begin + '\u{1f600}'.repeat(60));
      const reply = await browser.get(callback.href);
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/login']);
      expect(reply.headers.getSetCookie()[0]?.length).toBeLessThan(4096);
    },
  );

  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  it.each<[string, (claims: Record<string, unknown>, token: string) => string]>([
    ['with changed claims', (claims, token) => tampered(token, { ...claims, email: 'admin@example.com' })],
    ['that is not signed', (claims) => provider().jwt(claims, { alg: 'none' })],
    ['with alg none and a signature', (_claims, token) => tampered(token, undefined, { alg: 'none' })],
    ['signed with another key', (claims) => provider().jwt(claims, { alg: 'RS256' }, stranger)],
    ['with another algorithm', (claims) => provider().jwt(claims, { alg: 'RS512' })],
    ['that has expired', (claims) => provider().jwt({ ...claims, exp: Math.floor(Date.now() / 1000) - 700 })],
    ['of another issuer', (claims) => provider().jwt({ ...claims, iss: 'https://evil.example.com' })],
    ['for another client', (claims) => provider().jwt({ ...claims, aud: 'another' })],
    ['for another login', (claims) => provider().jwt({ ...claims, nonce: 'another' })],
    ['without a nonce', (claims) => provider().jwt(without(claims, 'nonce'))],
    ['without a subject', (claims) => provider().jwt(without(claims, 'sub'))],
  ])('is refused with a token %s', async (_what, make) => {
    provider().mischief.token = (answer) => ({
      ...answer,
      id_token: make(payloadOf(answer.id_token), answer.id_token),
    });
    await expectRefusal(server(), 401, 'is not valid');
    const log = server().logged.join('\n');
    expect(log).not.toContain('eyJ');
    expect(log).not.toContain(clientSecret);
  });

  it('that is not a token answers 502', async () => {
    provider().mischief.token = (answer) => ({ ...answer, id_token: 'not.a.token' });
    expect((await new Browser().logIn(server())).status).toBe(502);
  });

  it('is accepted when the clock of the provider is slightly off', async () => {
    provider().mischief.token = (answer) => {
      const now = Math.floor(server().clock.now() / 1000);
      return { ...answer, id_token: provider().jwt({ ...payloadOf(answer.id_token), iat: now + 30, exp: now - 30 }) };
    };
    expect((await new Browser().logIn(server())).status).toBe(302);
  });

  it('is accepted at once after the provider has rotated its key', async () => {
    expect((await new Browser().logIn(server())).status).toBe(302);
    await provider().rotateKey();
    expect((await new Browser().logIn(server())).status).toBe(302);
  });
});

describe('PKCE', () => {
  it('binds the code to the login, and can be turned off', async () => {
    const location = async () =>
      new URL((await new Browser().get(`${server().url}/auth/oidc/login`)).headers.get('location') as string);
    expect((await location()).searchParams.get('code_challenge_method')).toBe('S256');
    await setOidc(server(), { enablePkce: false });
    expect((await location()).searchParams.get('code_challenge')).toBeNull();
    expect((await new Browser().logIn(server())).status).toBe(302);
    await setOidc(server(), { enablePkce: true });
  });
});

/** Returns the token with other claims or another header, and the original signature. */
function tampered(token: string, claims?: object, header?: object): string {
  const [head, body, signature] = token.split('.') as [string, string, string];
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [header === undefined ? head : part(header), claims === undefined ? body : part(claims), signature].join('.');
}
