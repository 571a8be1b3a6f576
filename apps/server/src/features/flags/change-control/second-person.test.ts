import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveRoles } from '#testing/access.ts';
import { givenBreakGlassRole, glass } from '#testing/break-glass.ts';
import { givenReview, requestChanges, setRequestState, switchingOn } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { TestClock } from '#testing/clock.ts';
import { type FlagEnvironmentParams, freshName, givenFlag, givenProject } from '#testing/flags.ts';
import type { IdentityProvider } from '#testing/identity-provider.ts';
import { goodPassword, logIn } from '#testing/people.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';
import { aStranger, Browser, givenProvider } from '#testing/single-sign-on.ts';

const later = '2099-01-01T00:00:00.000Z';
const otherPassword = 'Another-Good-Passw0rd';
const ownerRole = 4;

/** An account or API token by its secret, with which it answers after a restart, too. */
interface Identity {
  readonly secret: string;
  /** Absent for an API token. */
  readonly id?: number;
}

interface Setting {
  readonly server: TestServer;
  readonly provider: IdentityProvider;
  readonly projectId: string;
  /** An administrator who was made before, by the operator. */
  readonly author: Identity & { readonly id: number };
  readonly by: ApiClient;
}

/** Who requests and who approves. */
interface Pair {
  readonly author?: Identity;
  readonly approver: Identity;
}

const body = (more: object = {}) => {
  const username = freshName('person');
  return { username, email: `${username}@example.com`, name: username, rootRole: 'Admin', ...more };
};

async function made(by: ApiClient, more: object = { password: goodPassword }) {
  const input = body(more);
  const { status, json, text } = await by.call('POST /api/admin/user-admin', { body: input });
  if (status !== 201) throw new Error(`the user was not made: ${text}`);
  return { id: json.id as number, username: input.username, email: input.email, inviteLink: json.inviteLink as string };
}

async function tokenOf(server: TestServer, id: number, headers: Readonly<Record<string, string>>): Promise<Identity> {
  const input = { description: freshName('token'), expiresAt: later };
  const { json, text } = await server.anonymous.call('POST /api/admin/user/tokens', { headers, body: input });
  if (json.secret === undefined) throw new Error(`no token was made: ${text}`);
  return { id, secret: json.secret };
}

async function loggedIn(
  server: TestServer,
  user: { readonly id: number; readonly username: string },
  password: string,
) {
  return tokenOf(server, user.id, await logIn(server.anonymous, { username: user.username, password }));
}

const person = async (server: TestServer, by = server.admin) => {
  const user = await made(by);
  return { ...user, ...(await loggedIn(server, user, goodPassword)) };
};

async function serviceAccount(by: ApiClient): Promise<Identity> {
  const username = freshName('robot');
  const account = await by.call('POST /api/admin/service-account', {
    body: { username, name: username, rootRole: 'Admin' },
  });
  return tokenOfServiceAccount(by, account.json.id);
}

async function tokenOfServiceAccount(by: ApiClient, id: number): Promise<Identity> {
  const token = await by.call('POST /api/admin/service-account/:id/token', {
    params: { id },
    body: { description: freshName('token'), expiresAt: later },
  });
  return { id, secret: token.json.secret };
}

async function withLink(server: TestServer, link: string, user: { readonly id: number; readonly username: string }) {
  const token = new URL(link).searchParams.get('token');
  const { status } = await server.anonymous.call('POST /auth/reset/password', {
    body: { token, password: otherPassword },
  });
  expect(status).toBe(200);
  return loggedIn(server, user, otherPassword);
}

async function signedUp({ server, projectId }: Setting, by: ApiClient): Promise<Identity> {
  const { json } = await by.call('POST /api/admin/invite-link/tokens', {
    body: { name: freshName('link'), expiresAt: later },
  });
  const { username, email, name } = body();
  const user = await server.anonymous.call('POST /invite/:token/signup', {
    params: { token: json.secret },
    body: { username, email, name, password: goodPassword },
  });
  await giveRoles(server, projectId, [ownerRole], { users: [user.json.id] });
  return loggedIn(server, { id: user.json.id, username }, goodPassword);
}

async function throughProvider({ server, provider, projectId }: Setting, claims: object = {}): Promise<Identity> {
  provider.user = aStranger(claims);
  const browser = new Browser();
  await browser.logIn(server);
  const headers = browser.cookiesOf(server.url);
  const { user } = (await server.anonymous.call('GET /api/admin/user', { headers })).json;
  await giveRoles(server, projectId, [ownerRole], { users: [user.id] });
  return tokenOf(server, user.id, headers);
}

const setPassword = (by: ApiClient, id: number) =>
  by.call('POST /api/admin/user-admin/:id/change-password', { params: { id }, body: { password: otherPassword } });

/** The ways to a second identity. */
const ways: Readonly<Record<string, (setting: Setting) => Promise<Pair>>> = {
  'a service account of the author': async ({ by }) => ({ approver: await serviceAccount(by) }),
  'a service account of somebody else': async ({ server }) => ({ approver: await serviceAccount(server.admin) }),
  'an initial admin token': async ({ server }) => ({ approver: { secret: initialToken(server) } }),
  'an account that the author made with a password': async ({ server, by }) => ({ approver: await person(server, by) }),
  'an account that the author invited': async ({ server, by }) => {
    const user = await made(by, {});
    return { approver: await withLink(server, user.inviteLink, user) };
  },
  'an account whose password the author set': async ({ server, by }) => {
    const user = await made(server.admin);
    await setPassword(by, user.id);
    return { approver: await loggedIn(server, user, otherPassword) };
  },
  'an account for which the author made a password link': async ({ server, by }) => {
    const user = await made(server.admin);
    const reset = await by.call('POST /api/admin/user-admin/reset-password', { body: { id: user.id } });
    return { approver: await withLink(server, reset.json.resetPasswordUrl, user) };
  },
  'an account whose e-mail address the author changed': async ({ server, by }) => {
    const user = await person(server);
    const input = { name: user.username, rootRole: 1, email: `${freshName('mine')}@example.com` };
    await by.call('PUT /api/admin/user-admin/:id', { params: { id: user.id }, body: input });
    return { approver: user };
  },
  'a person who signed up with a link of the author': async (setting) => ({
    approver: await signedUp(setting, setting.by),
  }),
  'a person who signed up with a link of somebody else': async (setting) => ({
    approver: await signedUp(setting, setting.server.admin),
  }),
  'an account that single sign-on made': async (setting) => ({ approver: await throughProvider(setting) }),
  'a login through single sign-on that the author has set up': async (setting) => {
    const user = await made(setting.server.admin);
    const change = { enabled: true, discoverUrl: setting.provider.issuer, emailDomains: 'example.com' };
    expect((await setting.by.call('POST /api/admin/auth/oidc/settings', { body: change })).status).toBe(200);
    return { approver: await throughProvider(setting, { email: user.email }) };
  },
  'an account that a service account of the author made': async ({ server, by }) => ({
    approver: await person(server, server.client((await serviceAccount(by)).secret)),
  }),
  'an account made with a token that the author added to a service account': async ({ server, by }) => {
    const { id = 0 } = await serviceAccount(server.admin);
    return { approver: await person(server, server.client((await tokenOfServiceAccount(by, id)).secret)) };
  },
  'an account that was made by an account that the author made': async ({ server, by }) => ({
    approver: await person(server, server.client((await person(server, by)).secret)),
  }),
  'the person who made the account of the author': async ({ server, author, by }) => ({
    author: await person(server, by),
    approver: author,
  }),
  'the person who set the password of the author': async ({ server, author, by }) => {
    const user = await made(server.admin);
    await setPassword(by, user.id);
    return { author: await loggedIn(server, user, otherPassword), approver: author };
  },
  'the person who made the service account that requests': async ({ author, by }) => ({
    author: await serviceAccount(by),
    approver: author,
  }),
};

/** Approvers who count. */
const seconds: Readonly<Record<string, (setting: Setting) => Promise<Pair>>> = {
  'another person': async ({ server }) => ({ approver: await person(server) }),
  'a person who was made by the same administrator': async ({ server }) => {
    const { secret } = await person(server);
    const administrator = server.client(secret);
    return { author: await person(server, administrator), approver: await person(server, administrator) };
  },
  'a person who has a new password of her own': async ({ server }) => {
    const user = await made(server.admin);
    const headers = await logIn(server.anonymous, { username: user.username, password: goodPassword });
    const change = { oldPassword: goodPassword, password: otherPassword, confirmPassword: otherPassword };
    expect(
      (await server.anonymous.call('POST /api/admin/user/change-password', { headers, body: change })).status,
    ).toBe(200);
    return { approver: await loggedIn(server, user, otherPassword) };
  },
  'a person whose name and role the author changed': async ({ server, by }) => {
    const user = await person(server);
    const input = { name: 'Another name', rootRole: 1, email: user.email };
    await by.call('PUT /api/admin/user-admin/:id', { params: { id: user.id }, body: input });
    return { approver: user };
  },
};

let server: TestServer;
const initialTokens = new Map<string, string>();
const initialToken = ({ url }: TestServer) => initialTokens.get(url) ?? '';

const requests = '/api/admin/projects/:projectId/change-requests' as const;

async function givenRequest(client: ApiClient, params: FlagEnvironmentParams): Promise<number> {
  const { id } = await requestChanges(client, params, switchingOn(params));
  await setRequestState(client, params.projectId, id, 'In review');
  return id;
}

const setState = (client: ApiClient, { projectId }: FlagEnvironmentParams, id: number, state: string) =>
  client.call(`PUT ${requests}/:id/state`, { params: { projectId, id }, body: { state } });

interface Case {
  readonly author: Identity;
  readonly approver: Identity;
  readonly params: FlagEnvironmentParams;
  /** A request that the approver approved while review was not binding. */
  readonly approved: number;
}

describe('where review is binding', () => {
  const cases = new Map<string, Case>();
  let storage: TestStorage;
  let breaker = 0;

  beforeAll(async () => {
    storage = await createStorage();
    const initAdminTokens = ['*:*.the-initial-token-of-this-test-0000000001'];
    const clock = new TestClock();
    server = await startServer(storage, { initAdminTokens }, clock);
    initialTokens.set(server.url, initAdminTokens[0] ?? '');
    const provider = await givenProvider(server, { autoCreate: true });
    breaker = await givenBreakGlassRole(server);
    for (const [name, given] of Object.entries({ ...ways, ...seconds })) {
      const projectId = await givenProject(server);
      const author = await person(server);
      const pair = {
        author,
        ...(await given({ server, provider, projectId, author, by: server.client(author.secret) })),
      };
      const params = { ...(await givenFlag(server, {}, projectId)), environment: 'production' };
      await givenReview(server, projectId, 'production');
      if (pair.author.id !== undefined)
        await giveRoles(server, projectId, [ownerRole, breaker], { users: [pair.author.id] });
      const approved = await givenRequest(server.client(pair.author.secret), params);
      expect([
        name,
        (await setState(server.client(pair.approver.secret), params, approved, 'Approved')).status,
      ]).toEqual([name, 200]);
      cases.set(name, { ...pair, params, approved });
    }
    await provider.stop();
    await server.stop();
    server = await startServer(storage, { initAdminTokens, bindingReview: true }, clock);
  });

  afterAll(async () => {
    await server.stop();
    await storage.remove();
  });

  const caseOf = (name: string): Case => {
    const found = cases.get(name);
    if (found === undefined) throw new Error(`there is no case ${name}`);
    return found;
  };

  /** Returns whether a request waits for an approver: in the list, the count of the project, and on the page Now. */
  const waitsFor = async (approver: Identity, { projectId }: FlagEnvironmentParams, id: number) => {
    const client = server.client(approver.secret);
    const list = await client.call('GET /api/admin/search/change-requests', { query: { actionable: 'true' } });
    const count = await client.call(`GET ${requests}/actionable`, { params: { projectId } });
    const now = await client.call('GET /api/admin/now');
    const hasIt = (rows: readonly { readonly id: number }[]) => rows.some((row) => row.id === id);
    return [hasIt(list.json.changeRequests), count.json.total, hasIt(now.json.waitingForMe)];
  };

  /** Breaks glass as the author, and returns the status of the approver's verdict. */
  const acknowledged = async ({ author, approver, params }: Case): Promise<number> => {
    const used = await server
      .client(author.secret)
      .call('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on', {
        params,
        headers: glass('INC-7'),
      });
    expect(used.status).toBe(200);
    const { uses } = (await server.client(author.secret).call('GET /api/admin/change-requests/break-glass')).json;
    const { id } = uses.find(({ project }: { readonly project: string }) => project === params.projectId);
    const route = 'POST /api/admin/change-requests/break-glass/:id/acknowledge';
    return (await server.client(approver.secret).call(route, { params: { id }, body: { verdict: 'justified' } }))
      .status;
  };

  /** Whether the author is a user: only users break glass. */
  const breaksGlass = (name: string) => !/service account that requests$/.test(name);

  describe.each(Object.keys(ways))('%s', (name) => {
    it('does not approve', async () => {
      const { author, approver, params } = caseOf(name);
      const id = await givenRequest(server.client(author.secret), params);
      const refused = await setState(server.client(approver.secret), params, id, 'Approved');
      // The request that was approved while review was not binding waits to be applied, as before.
      expect(await waitsFor(approver, params, id)).toEqual([false, 1, false]);
      expect([refused.status, refused.json.name]).toEqual([403, 'OperationDeniedError']);
      expect(refused.json.message).toMatch(/not a user|Another person must approve/);
    });

    it('does not count as an approval when the request is applied', async () => {
      const { approver, params, approved } = caseOf(name);
      const refused = await setState(server.client(approver.secret), params, approved, 'Applied');
      expect([refused.status, refused.json.message]).toEqual([
        409,
        expect.stringContaining('Only 0 of the 1 required approvals count.'),
      ]);
    });

    it.runIf(breaksGlass(name))('does not acknowledge that the author broke glass', async () => {
      expect(await acknowledged(caseOf(name))).toBe(403);
    });
  });

  describe.each(Object.keys(seconds))('%s', (name) => {
    it('approves, applies and acknowledges', async () => {
      const { author, approver, params, approved } = caseOf(name);
      const client = server.client(approver.secret);
      const id = await givenRequest(server.client(author.secret), params);
      expect(await waitsFor(approver, params, id)).toEqual([true, 2, true]);
      expect((await setState(client, params, id, 'Approved')).status).toBe(200);
      expect((await setState(client, params, approved, 'Applied')).status).toBe(200);
      expect(await acknowledged({ ...caseOf(name), params: await offFlag(params.projectId) })).toBe(204);
    });
  });

  it('a person whose account the author made more than 7 days before the request approves', async () => {
    const projectId = await givenProject(server);
    const params = { ...(await givenFlag(server, {}, projectId)), environment: 'production' };
    await givenReview(server, projectId, 'production');
    const author = await person(server);
    const by = server.client(author.secret);
    const approver = await person(server, by);
    server.clock.advance(8 * 24 * 3_600_000);
    const id = await givenRequest(by, params);
    expect((await setState(server.client(approver.secret), params, id, 'Approved')).status).toBe(200);
  });

  const offFlag = async (projectId: string): Promise<FlagEnvironmentParams> => ({
    ...(await givenFlag(server, {}, projectId)),
    environment: 'production',
  });
});
