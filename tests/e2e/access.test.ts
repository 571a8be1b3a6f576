import { describe, expect, it } from 'vitest';
import { givenRole } from '../../apps/server/testing/access.ts';
import { givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser, logIn as logInAs } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { TestStream } from '../../apps/server/testing/test-stream.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('access administration', () => {
  const server = useServer();
  const open = useBrowser();

  it('creates a user after showing invalid input at its field, and shows the password link once', async () => {
    const { page, complaints } = await open(server(), { at: '/admin/users' });
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Zoe');
    await page.getByLabel('E-mail').fill('not an address');
    await page.getByRole('combobox', { name: 'Root role' }).click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('Must be an e-mail address.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Zoe');
    await expectAccessible(page);
    await page.getByLabel('E-mail').fill('zoe@example.com');
    await page.getByRole('button', { name: 'Create user' }).click();
    const made = page.getByRole('dialog', { name: 'User created' });
    expect(await made.locator('pre').textContent()).toContain('/new-user?token=');
    await expectAccessible(page);
    await made.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: /zoe@example.com/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Zoe' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByLabel('Type zoe@example.com to confirm').fill('zoe@example.com');
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('cell', { name: /zoe@example.com/ }).waitFor({ state: 'detached' });
    expect(complaints().filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('lists the sessions of a user and ends all of them', async () => {
    const user = await givenUser(server());
    const headers = await logInAs(server().anonymous, user);
    await logInAs(server().anonymous, user);
    const { page, complaints } = await open(server(), { at: `/admin/users?query=${user.username}` });
    await page.getByRole('button', { name: 'Actions for A person' }).click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    const sessions = page.getByRole('dialog', { name: 'Sessions of A person' });
    await sessions.getByRole('row', { name: 'node 127.0.0.1' }).first().waitFor();
    await expectAccessible(page);
    await sessions.getByRole('button', { name: 'End all sessions' }).click();
    const dialog = page.getByRole('dialog', { name: 'End all sessions?' });
    await dialog.getByRole('button', { name: 'End all sessions' }).click();
    await sessions.getByText('No open sessions.').waitFor();
    expect((await server().anonymous.call('GET /api/admin/user', { headers })).status).toBe(401);
    expect(complaints()).toEqual([]);
  });

  it('creates an API token with the chosen scope, and deletes it', async () => {
    const projects = [await givenProject(server(), { name: 'Shop of tokens' })];
    const { page, complaints } = await open(server(), { at: '/admin/api' });
    await page.getByRole('button', { name: 'New API token' }).first().click();
    await page.getByLabel('Token name').fill('shop');
    await page.getByRole('radio', { name: 'Frontend' }).check();
    await page.getByRole('combobox', { name: 'Projects' }).click();
    await page.getByRole('option', { name: 'Shop of tokens' }).click();
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'production' }).click();
    await page.getByRole('button', { name: 'Create API token' }).click();
    const made = page.getByRole('dialog', { name: 'API token created' });
    const secret = (await made.locator('pre').textContent()) ?? '';
    await made.getByRole('button', { name: 'Close' }).click();
    const flags = () => server().client(secret).call('GET /api/frontend');
    expect((await flags()).status).toBe(200);
    const { tokens } = (await server().admin.call('GET /api/admin/api-tokens')).json;
    const scope = { type: 'frontend', environment: 'production', projects };
    expect(tokens.find(({ tokenName }: { tokenName: string }) => tokenName === 'shop')).toMatchObject(scope);
    await page.getByRole('button', { name: 'Actions for shop' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByLabel('Type shop to confirm').fill('shop');
    await page.getByRole('button', { name: 'Delete API token' }).click();
    await page.getByRole('button', { name: 'Actions for shop' }).waitFor({ state: 'detached' });
    expect((await flags()).status).toBe(401);
    expect(complaints()).toEqual([]);
  });

  it('creates a token of a replica for all environments', async () => {
    const { page, complaints } = await open(server(), { at: '/admin/api' });
    await page.getByRole('button', { name: 'New API token' }).first().click();
    await page.getByLabel('Token name').fill('replica eu');
    await page.getByRole('radio', { name: 'Replica' }).check();
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'All environments' }).click();
    await page.getByRole('button', { name: 'Create API token' }).click();
    const made = page.getByRole('dialog', { name: 'API token created' });
    const secret = (await made.locator('pre').textContent()) ?? '';
    expect(secret).toMatch(/^\*:\*\./);
    const stream = await TestStream.open(`${server().url}/api/replica/stream?protocol=1`, { authorization: secret });
    expect(stream.status).toBe(200);
    stream.close();
    expect(complaints()).toEqual([]);
  });

  it('creates a service account and a token that acts as the account', async () => {
    const { page, complaints } = await open(server(), { at: '/admin/service-accounts' });
    await page.getByRole('button', { name: 'New service account' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pipeline');
    await page.getByLabel('User name').fill('pipeline');
    await page.getByRole('combobox', { name: 'Root role' }).click();
    await page.getByRole('option', { name: 'Viewer' }).click();
    await page.getByRole('button', { name: 'Create service account' }).click();
    await page.getByRole('button', { name: '0 tokens' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'Service account token created' });
    const secret = (await made.locator('pre').textContent()) ?? '';
    await expectAccessible(page);
    // Escape closes neither this dialog nor the panel below it, with which the token would be lost.
    await page.keyboard.press('Escape');
    await made.getByRole('button', { name: 'Close' }).click();
    expect((await server().client(secret).call('GET /api/admin/user')).json.user.username).toBe('pipeline');
    await page.getByRole('button', { name: 'Delete the token ci' }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('creates a role that grants the ticked permissions', async () => {
    const { page } = await open(server(), { at: '/admin/roles?tab=project' });
    await page.getByRole('button', { name: 'New project role' }).click();
    await page.getByLabel('Role name').fill('Owner');
    await page.getByLabel('Environment production (0 of 11)').check();
    await page.getByRole('checkbox', { name: 'Create feature', exact: true }).check();
    await page.getByRole('button', { name: 'Create role' }).click();
    // The name is taken: the field shows the error, and the ticked permissions stay ticked.
    await page
      .getByRole('textbox', { name: 'Role name', exact: true })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();
    await expectAccessible(page);
    await page.getByLabel('Role name').fill('Release manager');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('cell', { name: 'Release manager', exact: true }).waitFor();
    const { json } = await server().admin.call('GET /api/admin/roles');
    const made = json.roles.find(({ name }: { name: string }) => name === 'Release manager');
    const whole = await server().admin.call('GET /api/admin/roles/:roleId', { params: { roleId: made.id } });
    const granted = whole.json.permissions as { name: string; environment?: string }[];
    const inProduction = granted.filter(({ environment }) => environment === 'production').map(({ name }) => name);
    expect(inProduction).toHaveLength(10);
    expect(inProduction).not.toContain('BREAK_GLASS_CHANGE_REQUEST');
    expect(granted.filter(({ environment }) => environment !== 'production')).toMatchObject([
      { name: 'CREATE_FEATURE' },
    ]);
  });

  it('refuses to disable password login while there is no other login', async () => {
    const { page } = await open(server(), { at: '/admin/auth' });
    await page.getByRole('switch', { name: 'Allow login with a password' }).press(' ');
    const dialog = page.getByRole('dialog', { name: 'Turn off login with passwords?' });
    await dialog.getByRole('button', { name: 'Turn off passwords' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('switch', { name: 'Allow login with a password' }).isChecked()).toBe(true);
  });

  it('offers API tokens of the type that the role allows', async () => {
    const names = [
      'READ_CLIENT_API_TOKEN',
      'READ_FRONTEND_API_TOKEN',
      'CREATE_FRONTEND_API_TOKEN',
      'DELETE_FRONTEND_API_TOKEN',
    ];
    const role = await givenRole(server(), { type: 'root-custom', permissions: names.map((name) => ({ name })) });
    const person = await givenUser(server(), role.id);
    await givenToken(server(), { tokenName: 'of-server' });
    const { page, complaints } = await open(server(), { at: '/admin/api', as: person });
    await page.getByRole('button', { name: 'New API token' }).click();
    await page.getByLabel('Token name').fill('of-page');
    expect(await page.getByRole('radio', { name: 'Frontend' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Create API token' }).click();
    const made = page.getByRole('dialog', { name: 'API token created' });
    await made.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Actions for of-page' }).click();
    expect(await page.getByRole('button', { name: 'Actions for of-server' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Change expiry' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByLabel('Type of-page to confirm').fill('of-page');
    await page.getByRole('button', { name: 'Delete API token' }).click();
    await page.getByRole('button', { name: 'Actions for of-page' }).waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
  });

  it('offers in the single sign-on settings only what a user who is no administrator may change', async () => {
    const permissions = [{ name: 'UPDATE_AUTH_CONFIGURATION' }];
    const role = await givenRole(server(), { type: 'root-custom', permissions });
    const { page, complaints } = await open(server(), { at: '/admin/auth', as: await givenUser(server(), role.id) });
    const newAccounts = page.getByRole('combobox', { name: 'Root role of new accounts' });
    await expect.poll(() => newAccounts.inputValue()).toBe('Editor');
    for (const label of [
      'Discover URL',
      'Client ID',
      'Allowed e-mail domains',
      'Group field',
      'Root role of new accounts',
    ])
      expect(await page.getByLabel(label).first().isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('ACR values').fill('phr');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    const { json } = await server().admin.call('GET /api/admin/auth/oidc/settings');
    expect(json).toMatchObject({ acrValues: 'phr', defaultRootRole: 'Editor' });
    expect(complaints()).toEqual([]);
  });
});
