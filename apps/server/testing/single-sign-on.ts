import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { firstOf, itemAt } from '../src/kernel/lists.ts';
import type { Reply } from './client.ts';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { eventsAfter, lastEventId } from './scenario.ts';
import type { TestServer } from './server.ts';

let made = 0;

/** A provider that the server is configured with. */
export async function givenProvider(server: TestServer, settings: object = {}): Promise<IdentityProvider> {
  const provider = await startIdentityProvider(server.url);
  await setOidc(server, { discoverUrl: provider.issuer, ...settings });
  return provider;
}

/** A provider for the tests of one file, well-behaved and with the settings as they were before each. */
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

/** Sets single sign-on; fails the test when it is refused. */
export async function setOidc(server: TestServer, settings: object): Promise<void> {
  const { status, text } = await server.admin.call('POST /api/admin/auth/oidc/settings', {
    body: { enabled: true, clientId, secret: clientSecret, ...settings },
  });
  if (status !== 200) throw new Error(`single sign-on was not set: ${status} ${text}`);
}

/** A user without an account, with an e-mail address that the provider has verified. */
export function aStranger(claims: object = {}) {
  const sub = `stranger-${++made}`;
  return { sub, name: 'A Stranger', email: `${sub}@example.com`, email_verified: true, ...claims };
}

type Jar = Map<string, string>;

/** A browser as far as a login needs one: it keeps cookies of each site, and follows where it is led. */
export class Browser {
  readonly #jars = new Map<string, Jar>();
  readonly #accept: string;

  /**
   * A browser that requests pages is redirected to a page with the error; the JSON error is easier to read.
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

  /** The cookies that a site has set, as a header of a request. */
  cookiesOf(url: string): { cookie: string } {
    const jar = this.#jars.get(new URL(url).host) ?? [];
    return { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  /** Begins a login and logs in at the provider; returns the address that the provider redirects to. */
  async toCallback(server: TestServer, query = ''): Promise<string> {
    let reply = await this.get(`${server.url}/auth/oidc/login${query}`);
    for (let hops = 0; hops < 10; hops++) {
      const location = reply.headers.get('location');
      if (location === null) throw new Error(`the login ended in ${reply.status} ${reply.text}`);
      const next = new URL(location, this.#at).href;
      if (next.startsWith(`${server.url}/auth/oidc/callback`)) return next;
      this.#at = next;
      reply = await this.get(next);
    }
    throw new Error('the login leads round in circles');
  }

  #at = 'http://nowhere.invalid';

  /** A whole login; the answer that the provider's answer gets. */
  async logIn(server: TestServer, query = ''): Promise<Reply> {
    return this.get(await this.toCallback(server, query));
  }
}

/** The words of a token. */
export function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(itemAt(token.split('.'), 1), 'base64url').toString());
}

/** All but one of the words. */
export function without(claims: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
}

/** Who a browser is to a server. */
export function whoIs(browser: Browser, server: TestServer): Promise<Reply> {
  return server.anonymous.call('GET /api/admin/user', { headers: browser.cookiesOf(server.url) });
}

/** The newest login in the history. */
export async function lastLogin(server: TestServer) {
  return (await server.admin.call('GET /api/admin/logins', { query: { limit: 1 } })).json.events[0];
}

/** A login that is refused, in words that hold `words`, changes nothing and is in the history. */
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
