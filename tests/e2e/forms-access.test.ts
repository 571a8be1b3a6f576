import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenUser, goodPassword } from '../../apps/server/testing/people.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { type BadInput, expectMendable } from './bad-input.ts';
import { focused, useBrowser } from './browser.ts';

// Access forms that keep the typed text when input is refused. Other files cover: a user with an invalid address and a
// role with a taken name (access), a group without a name, the own password, origins and a banner (instance), a
// password by a link (login).

const later = '2099-01-01T00:00:00.000Z';
const long = 'x'.repeat(300);

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

/** Returns a function that opens the menu of a row (its three dots) and chooses an entry. */
const entry = (of: string, name: string) => async (page: Page) => {
  await page.getByRole('button', { name: `Actions for ${of}`, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

/** Returns a function that opens a form and chooses to enter an expiry date. */
const withDate = (open: (page: Page) => Promise<void>) => async (page: Page) => {
  await open(page);
  await page.getByRole('dialog').last().getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'On a date' }).click();
};

const usersAndRoles = ({ admin }: TestServer): readonly BadInput[] => {
  const users = async () =>
    (await admin.call('GET /api/admin/user-admin')).json.users.map(
      ({ name, email, username }: Record<string, unknown>) => [name, email, username],
    );
  const roles = async () => (await admin.call('GET /api/admin/roles')).json.roles;
  const groups = async () => (await admin.call('GET /api/admin/groups')).json.groups;
  return [
    {
      form: 'a new user',
      at: '/admin/users',
      open: button('New user'),
      typed: { Name: 'Zoe', 'E-mail': 'zoe@example.com' },
      chosen: { 'Root role': 'Editor' },
      field: 'User name',
      refused: 'admin',
      taken: 'zoe',
      submit: 'Create user',
      state: users,
    },
    {
      form: 'a user',
      at: '/admin/users?query=taken',
      open: entry('Taken', 'Edit'),
      typed: { Name: 'Somebody else' },
      field: 'E-mail',
      refused: 'owner@example.com',
      taken: 'else@example.com',
      submit: 'Save user',
      state: users,
    },
    {
      form: 'a role',
      at: '/admin/roles',
      open: entry('Operator', 'Edit'),
      typed: { 'Role description': 'May do what is needed at night.' },
      field: 'Role name',
      refused: 'Admin',
      taken: 'Night operator',
      submit: 'Save role',
      state: roles,
    },
    {
      form: 'a new group',
      at: '/admin/groups',
      open: button('New group'),
      typed: { 'Group description': 'Those of the shop' },
      field: 'Group name',
      refused: 'Desk',
      taken: 'Shop',
      submit: 'Create group',
      state: groups,
    },
    {
      form: 'a group',
      at: '/admin/groups',
      open: entry('Desk', 'Edit'),
      typed: { 'Group description': 'Those of the desk' },
      field: 'Group name',
      refused: 'Till',
      taken: 'Front desk',
      submit: 'Save group',
      state: groups,
    },
  ];
};

const accountsAndTokens = ({ admin }: TestServer): readonly BadInput[] => {
  const accounts = async () => (await admin.call('GET /api/admin/service-account')).json.serviceAccounts;
  const tokens = async () => (await admin.call('GET /api/admin/api-tokens')).json.tokens;
  const links = async () => (await admin.call('GET /api/admin/invite-link/tokens')).json.tokens;
  const oidc = async () => (await admin.call('GET /api/admin/auth/oidc/settings')).json;
  return [
    {
      form: 'a new service account',
      at: '/admin/service-accounts',
      open: button('New service account'),
      typed: { Name: 'Pipeline' },
      chosen: { 'Root role': 'Viewer' },
      field: 'User name',
      refused: 'admin',
      taken: 'pipeline',
      submit: 'Create service account',
      state: accounts,
    },
    {
      form: 'a service account',
      at: '/admin/service-accounts',
      open: entry('robot', 'Edit'),
      field: 'Name',
      refused: long,
      taken: 'Robot of the shop',
      submit: 'Save service account',
      state: accounts,
    },
    {
      form: 'a token of a service account',
      at: '/admin/service-accounts',
      open: withDate(async (page) => {
        await entry('robot', 'Tokens')(page);
        await button('New token')(page);
      }),
      typed: { Description: 'deploys' },
      field: 'Date',
      refused: '2020-01-01',
      taken: '2099-01-01',
      submit: 'Create token',
      state: accounts,
    },
    {
      form: 'an API token',
      at: '/admin/api',
      open: withDate(button('New API token')),
      typed: { Date: '2099-01-01' },
      chosen: { Environment: 'production' },
      field: 'Token name',
      refused: long,
      taken: 'shop',
      submit: 'Create API token',
      state: tokens,
    },
    {
      form: 'an invite link',
      at: '/admin/users?tab=invite-links',
      open: withDate(button('New invite link')),
      typed: { Name: 'The shop' },
      field: 'Date',
      refused: '2020-01-01',
      taken: '2099-01-01',
      submit: 'Create invite link',
      state: links,
    },
    {
      form: 'OpenID Connect',
      at: '/admin/auth',
      typed: { 'Client ID': 'yardarm', 'Client secret': 'hush-hush', 'Allowed e-mail domains': 'example.com' },
      field: 'Discover URL',
      refused: 'ftp://login.example.com',
      taken: 'https://login.example.com',
      submit: 'Save',
      state: oidc,
    },
  ];
};

describe('forms of users and access', () => {
  const server = useServer();
  const open = useBrowser();

  it('show refusals at their fields and keep all input: users, roles, groups', async () => {
    const { admin } = server();
    for (const [username, email] of [
      ['taken', 'taken@example.com'],
      ['owner', 'owner@example.com'],
    ])
      await admin.call('POST /api/admin/user-admin', {
        body: { username, email, name: capital(username), rootRole: 3 },
      });
    await admin.call('POST /api/admin/roles', {
      body: { name: 'Operator', description: '', type: 'root-custom', permissions: [] },
    });
    for (const name of ['Desk', 'Till']) await admin.call('POST /api/admin/groups', { body: { name } });
    const window = await open(server(), { at: '/' });
    for (const input of usersAndRoles(server())) await expectMendable(window, input);
  }, 120_000);

  it('show refusals at their fields and keep all input: service accounts, tokens, links, single sign-on', async () => {
    await server().admin.call('POST /api/admin/service-account', {
      body: { username: 'robot', name: 'Robot', rootRole: 3 },
    });
    const window = await open(server(), { at: '/' });
    for (const input of accountsAndTokens(server())) await expectMendable(window, input);
  }, 120_000);

  it('show refusals at their fields: password of a user, personal token, account by an invite link', async () => {
    const { admin } = server();
    const { username } = await givenUser(server());
    const window = await open(server(), { at: '/' });
    await expectMendable(window, {
      form: 'the password of a user',
      at: `/admin/users?query=${username}`,
      open: entry('A person', 'Set a password'),
      field: 'New password',
      refused: 'too-short',
      taken: 'Another-Passw0rd',
      submit: 'Set password',
      state: async () => (await admin.call('GET /api/admin/events', { query: { limit: 1 } })).json.events[0]?.id,
    });
    await expectMendable(window, {
      form: 'a personal access token',
      at: '/profile',
      open: withDate(button('New token')),
      typed: { Description: 'laptop' },
      field: 'Date',
      refused: '2020-01-01',
      taken: '2099-01-01',
      submit: 'Create token',
      state: async () => (await admin.call('GET /api/admin/events', { query: { limit: 1 } })).json.events[0]?.id,
    });
    const { json } = await admin.call('POST /api/admin/invite-link/tokens', { body: { name: 'x', expiresAt: later } });
    const stranger = await open(server());
    const { pathname, search } = new URL(json.url);
    await expectMendable(stranger, {
      form: 'an account by an invite link',
      at: pathname + search,
      typed: { 'Full name': 'Ada', Password: goodPassword },
      field: 'E-mail',
      refused: `${username}@example.com`,
      taken: 'ada@example.com',
      submit: 'Sign up',
      state: async () => (await admin.call('GET /api/admin/user-admin')).json.users.length,
    });
  }, 120_000);
});

describe('refused login', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows the error, keeps the user name, and offers help', async () => {
    const window = await open(server());
    const { page } = window;
    await page.goto('/');
    await focused(page.getByLabel('Username or e-mail'));
    await page.keyboard.type('admin');
    await page.getByRole('textbox', { name: 'Password' }).fill('not it');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('wrong').waitFor();
    expect(await page.getByLabel('Username or e-mail').inputValue()).toBe('admin');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByText('printed its password in the terminal').waitFor();
  });
});

function capital(word: string | undefined): string {
  return `${word?.charAt(0).toUpperCase()}${word?.slice(1)}`;
}
