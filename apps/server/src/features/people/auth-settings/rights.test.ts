import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenCaller, givenRole } from '#testing/access.ts';
import { clientId, clientSecret } from '#testing/identity-provider.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { aStranger, Browser, givenProvider, setOidc } from '#testing/single-sign-on.ts';

const route = 'POST /api/admin/auth/oidc/settings';
const discoverUrl = 'https://id.example.com';
const permission = { name: 'UPDATE_AUTH_CONFIGURATION' };

/** Returns a caller with a custom root role that has these permissions. */
async function givenHolder(server: TestServer, ...permissions: readonly { readonly name: string }[]) {
  const { id } = await givenRole(server, { type: 'root-custom', permissions });
  return (await givenCaller(server, id)).client;
}

describe('a caller with UPDATE_AUTH_CONFIGURATION alone', () => {
  const server = useServer();
  let set: (body: object) => ReturnType<TestServer['admin']['call']>;

  beforeAll(async () => {
    const client = await givenHolder(server(), permission);
    set = (body) => client.call(route, { body: { enabled: true, ...body } });
  });

  beforeEach(() =>
    setOidc(server(), {
      discoverUrl,
      emailDomains: 'example.com',
      autoCreate: false,
      enableGroupSyncing: false,
      groupJsonPath: 'groups',
      trustMissingEmailVerified: false,
      defaultRootRole: 'Viewer',
    }),
  );

  it.each([
    ['discoverUrl', { discoverUrl: 'https://attacker.example.net' }],
    ['clientId', { clientId: 'other' }],
    ['secret', { secret: 'other' }],
    ['emailDomains', { emailDomains: null }],
    ['enableGroupSyncing', { enableGroupSyncing: true }],
    ['groupJsonPath', { groupJsonPath: 'preferred_username' }],
    ['trustMissingEmailVerified', { trustMissingEmailVerified: true }],
    ['defaultRootRole', { defaultRootRole: 'Editor' }],
    ['defaultRootRole', { defaultRootRole: 'Admin' }],
    ['defaultRootRole', { defaultRootRoleId: 1 }],
    ['defaultRootRole', { defaultRootRole: null }],
  ])('cannot change %s: %j', async (path, body) => {
    const before = await lastEventId(server());
    const reply = await set(body);
    expect([reply.status, reply.json.name]).toEqual([403, 'PermissionError']);
    expect(reply.json.details).toMatchObject([{ path }]);
    expect(await eventsAfter(server(), before)).toEqual([]);
  });

  it('can change the other settings, and send unchanged settings that need ADMIN', async () => {
    const same = {
      discoverUrl,
      clientId,
      secret: clientSecret,
      emailDomains: 'example.com',
      defaultRootRole: 'Viewer',
    };
    const reply = await set({ ...same, autoCreate: true, acrValues: 'mfa', enableSingleSignOut: true });
    expect([reply.status, reply.json]).toMatchObject([200, { autoCreate: true, acrValues: 'mfa' }]);
    expect((await set({ enabled: false })).json).toMatchObject({ enabled: false, discoverUrl });
  });

  it('cannot turn on the creation of accounts with a configured role that has more permissions than their own', async () => {
    await setOidc(server(), { discoverUrl, autoCreate: false, defaultRootRole: 'Editor' });
    expect((await set({ autoCreate: true })).status).toBe(403);
    await setOidc(server(), { discoverUrl, enabled: false, autoCreate: true, defaultRootRole: 'Editor' });
    expect((await set({})).status).toBe(403);
    await setOidc(server(), { discoverUrl, autoCreate: true, defaultRootRole: 'Editor' });
    expect((await set({ acrValues: 'mfa' })).status).toBe(200);
  });
});

describe('a role for accounts that single sign-on creates', () => {
  const server = useServer();

  it('must have no permission that the caller lacks, including those in open projects', async () => {
    const editors = (await server().admin.call('GET /api/admin/permissions')).json.permissions.root as {
      name: string;
    }[];
    const all = editors.map(({ name }) => ({ name })).filter(({ name }) => name !== 'ADMIN');
    const client = await givenHolder(server(), ...all);
    await setOidc(server(), { discoverUrl, defaultRootRole: 'Viewer' });
    const { id } = await givenRole(server(), { type: 'root-custom', permissions: [{ name: 'CREATE_SEGMENT' }] });
    const set = (body: object) => client.call(route, { body: { enabled: true, ...body } });
    expect((await set({ defaultRootRoleId: id })).json).toMatchObject({ defaultRootRoleId: id });
    expect((await set({ defaultRootRole: 'Editor' })).status).toBe(403);
  });
});

describe('a provider that a caller with UPDATE_AUTH_CONFIGURATION names', () => {
  const server = useServer();

  it('does not make the caller an administrator', async () => {
    const idp = await givenProvider(server());
    await server().admin.call(route, { body: { enabled: false, discoverUrl: null, clientId: null, secret: '' } });
    const client = await givenHolder(server(), permission);
    const body = { enabled: true, discoverUrl: idp.issuer, clientId, secret: clientSecret };
    const reply = await client.call(route, { body: { ...body, autoCreate: true, defaultRootRole: 'Admin' } });
    idp.user = aStranger();
    const login = await new Browser().get(`${server().url}/auth/oidc/login`);
    await idp.stop();
    expect([reply.status, login.status]).toEqual([403, 422]);
  });
});
