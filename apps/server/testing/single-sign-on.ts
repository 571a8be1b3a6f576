import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { firstOf, itemAt } from '#kernel/lists.ts';
import type { Reply } from './client.ts';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { eventsAfter, lastEventId } from './scenario.ts';
import type { TestServer } from './server.ts';

let made = 0;

/** Starts a provider and configures the server to use it. */
export async function givenProvider(server: TestServer, settings: object = {}): Promise<IdentityProvider> {
  const provider = await startIdentityProvider(server.url);
  await setOidc(server, { discoverUrl: provider.issuer, ...settings });
  return provider;
}

/** Starts a provider for the tests of one file. Before each test, resets its faults, its user and the settings. */
export function useProvider(server: () => TestServer): () => IdentityProvider {
  let provider: IdentityProvider | undefined;
  const started = () => {
    if (provider === undefined) throw new Error('the provider has not been started');
    return provider;
  };
  beforeAll(async () => {
    provider = await givenProvider(server());
  });
  afterAll(() => provider?.stop());
  beforeEach(async () => {
    started().mischief = {};
    started().user = aStranger();
    await setOidc(server(), { autoCreate: true, enableGroupSyncing: false, emailDomains: '', defaultRootRoleId: null });
  });
  return started;
}

/** Sets the settings of single sign-on. Throws when the server refuses them. */
export async function setOidc(server: TestServer, settings: object): Promise<void> {
  const { status, text } = await server.admin.call('POST /api/admin/auth/oidc/settings', {
    body: { enabled: true, clientId, secret: clientSecret, ...settings },
  });
  if (status !== 200) throw new Error(`single sign-on was not set: ${status} ${text}`);
}

/** Returns the claims of a user without an account, with an e-mail address that the provider has verified. */
export function aStranger(claims: object = {}) {
  const sub = `stranger-${++made}`;
  return { sub, name: 'A Stranger', email: `${sub}@example.com`, email_verified: true, ...claims };
}

type Jar = Map<string, string>;

/** A minimal browser for a login: it keeps the cookies of each site, and {@link toCallback} follows redirects. */
export class Browser {
  readonly #jars = new Map<string, Jar>();
  readonly #accept: string;

  /**
   * With `pages`, requests ask for HTML, and a failed login redirects to a page with the error. Otherwise the error is
   * JSON.
   */
  constructor({ pages = false }: { readonly pages?: boolean } = {}) {
    this.#accept = pages ? 'text/html' : '*/*';
  }

  async get(url: string): Promise<Reply> {
    const jar = this.#jars.get(new URL(url).host) ?? new Map<string, string>();
    this.#jars.set(new URL(url).host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, accept: this.#accept } });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = firstOf(line.split(';', 1)).split('=') as [string, string];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  /** Returns the cookies that a site has set, as a request header. */
  cookiesOf(url: string): { cookie: string } {
    const jar = this.#jars.get(new URL(url).host) ?? [];
    return { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  /** Begins a login and logs in at the provider; returns the address that the provider redirects to. */
  async toCallback(server: TestServer, query = ''): Promise<string> {
    let reply = await this.get(`${server.url}/auth/oidc/login${query}`);
    for (let hops = 0; hops < 10; hops++) {
      const location = reply.headers.get('location');
      if (location === null) throw new Error(`the login ended without a redirect: ${reply.status} ${reply.text}`);
      const next = new URL(location, this.#at).href;
      if (next.startsWith(`${server.url}/auth/oidc/callback`)) return next;
      this.#at = next;
      reply = await this.get(next);
    }
    throw new Error('the login was redirected 10 times without returning to the server');
  }

  #at = 'http://nowhere.invalid';

  /** Logs in at the provider and returns the answer of the server's callback. */
  async logIn(server: TestServer, query = ''): Promise<Reply> {
    return this.get(await this.toCallback(server, query));
  }
}

/** Returns the decoded payload of a JWT. */
export function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(itemAt(token.split('.'), 1), 'base64url').toString());
}

/** Returns the claims without the one of this name. */
export function without(claims: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
}

/** Requests the user whom a server recognises by the browser's cookies. */
export function whoIs(browser: Browser, server: TestServer): Promise<Reply> {
  return server.anonymous.call('GET /api/admin/user', { headers: browser.cookiesOf(server.url) });
}

/** Returns the newest login of the login history. */
export async function lastLogin(server: TestServer) {
  return (await server.admin.call('GET /api/admin/logins', { query: { limit: 1 } })).json.events[0];
}

/**
 * Expects a login to fail with a status and a message that contains `words`, to record no event, and to appear in the
 * login history.
 */
export async function expectRefusal(server: TestServer, status: number, words: string): Promise<void> {
  const before = await lastEventId(server);
  const browser = new Browser();
  const reply = await browser.logIn(server);
  expect(`${reply.status} ${reply.text}`).toContain(`${status} {`);
  expect(reply.json.message).toContain(words);
  expect((await whoIs(browser, server)).status).toBe(401);
  expect(await eventsAfter(server, before)).toEqual([]);
  expect(await lastLogin(server)).toMatchObject({ auth_type: 'oidc', successful: false });
}
