import { describe, expect, it } from 'vitest';
import { clientId, clientSecret } from '#testing/identity-provider.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { aStranger, Browser, givenProvider, setOidc } from '#testing/single-sign-on.ts';
import { authSettingsScenarios } from './auth-settings.scenarios.ts';

describe('login settings routes', () => testScenarios(useServer(), authSettingsScenarios));

const whatToDo = async (server: TestServer) => (await server.anonymous.call('GET /api/admin/user')).json;
const setPasswords = (server: TestServer, disabled: boolean) =>
  server.admin.call('POST /api/admin/auth/simple/settings', { body: { disabled } });

describe('logins with passwords', () => {
  const server = useServer();

  it('can be disabled when an administrator can use single sign-on, and are then refused', async () => {
    const user = await givenUser(server());
    expect(await whatToDo(server())).toMatchObject({ type: 'password', defaultHidden: false });
    expect(await whatToDo(server())).not.toHaveProperty('options');
    const idp = await givenProvider(server());
    expect(await whatToDo(server())).toMatchObject({
      type: 'password',
      path: '/auth/simple/login',
      defaultHidden: false,
      options: [{ type: 'oidc', message: 'Sign in with OpenID Connect', path: '/auth/oidc/login' }],
    });
    // The first administrator has no e-mail address, by which single sign-on finds users.
    const refused = await setPasswords(server(), true);
    expect(refused.status).toBe(403);
    expect(refused.json.message).toContain('e-mail address');
    const admin = await givenUser(server(), 'Admin');
    const session = await logIn(server().anonymous, user);
    expect((await setPasswords(server(), true)).status).toBe(200);
    const login = await server().anonymous.call('POST /auth/simple/login', {
      body: { username: user.username, password: user.password },
    });
    expect(login.status).toBe(422);
    expect(login.json.name).toBe('DisabledError');
    expect(await whatToDo(server())).toMatchObject({ defaultHidden: true, options: [{ type: 'oidc' }] });
    expect((await server().anonymous.call('GET /api/admin/user', { headers: session })).status).toBe(200);
    const config = await server().admin.call('GET /api/admin/ui-config');
    expect(config.json).toMatchObject({ disablePasswordAuth: true, oidcConfiguredThroughEnv: false });
    idp.user = aStranger({ email: `${admin.username}@example.com` });
    expect((await new Browser().logIn(server())).status).toBe(302);
    expect((await setPasswords(server(), false)).status).toBe(200);
    await logIn(server().anonymous, user);
    await idp.stop();
  });
});

describe('the client secret', () => {
  it('is encrypted in the database with UNLEASH_SECRET, and a start with another one reports it', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, { secret: 'a password of the installation' });
    const idp = await givenProvider(server);
    idp.user = aStranger();
    await setOidc(server, { discoverUrl: idp.issuer, autoCreate: true });
    expect((await new Browser().logIn(server)).status).toBe(302);
    const rows = await server.app.database.db.selectFrom('settings').selectAll().execute();
    expect(JSON.stringify(rows)).toContain('sealed:2:');
    expect(JSON.stringify(rows)).not.toContain(JSON.stringify(clientSecret).slice(1, -1));
    await server.stop();
    await expect(startServer(storage, { secret: 'another' })).rejects.toThrow('client secret of single sign-on');
    await storage.remove();
    await idp.stop();
  });
});

describe('single sign-on by variables', () => {
  const server = useServer({
    oidcEnabled: true,
    oidcDiscoverUrl: 'https://id.example.com',
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
    oidcDefaultRootRole: 'Viewer',
    oidcEmailDomains: ['Example.com', 'example.org'],
  });

  it('is shown without the secret, and cannot be changed', async () => {
    const { text, json } = await server().admin.call('GET /api/admin/auth/oidc/settings');
    expect(json).toMatchObject({
      enabled: true,
      discoverUrl: 'https://id.example.com',
      secretSet: true,
      defaultRootRole: 'Viewer',
      emailDomains: 'example.com,example.org',
    });
    expect(text).not.toContain('the secret');
    expect((await server().admin.call('GET /api/admin/ui-config')).json.oidcConfiguredThroughEnv).toBe(true);
    const change = await server().admin.call('POST /api/admin/auth/oidc/settings', { body: { enabled: false } });
    expect(change.status).toBe(403);
    expect(change.json.message).toContain('OIDC_');
  });
});
