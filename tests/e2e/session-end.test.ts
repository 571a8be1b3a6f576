import { describe, expect, it } from 'vitest';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser, type Window } from './browser.ts';

interface Form {
  readonly at: string;
  /** The button that opens the form, unless the page shows the form. */
  readonly open?: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly submit: string;
}

/** Forms from every part of the interface. */
const forms: readonly Form[] = [
  { at: '/projects/default/create-flag', typed: { Name: 'kept', Description: 'Typed' }, submit: 'Create feature flag' },
  { at: '/create-project', typed: { Name: 'Kept', Description: 'Typed' }, submit: 'Create project' },
  {
    at: '/projects/default/features/there/strategies/create?environmentId=development',
    typed: { Title: 'Kept' },
    submit: 'Add strategy',
  },
  {
    at: '/projects/default/settings',
    typed: { 'Project name': 'Kept', 'Flag limit': '77' },
    submit: 'Save changes',
  },
  {
    at: '/segments',
    open: 'New segment',
    typed: { 'Segment name': 'kept', Description: 'Typed' },
    submit: 'Create segment',
  },
  {
    at: '/context',
    open: 'New context field',
    typed: { 'Context name': 'kept', Description: 'Typed' },
    submit: 'Create context field',
  },
  { at: '/tag-types', open: 'New tag type', typed: { 'Tag type name': 'kept' }, submit: 'Create tag type' },
  { at: '/environments', open: 'New environment', typed: { 'Environment name': 'kept' }, submit: 'Create environment' },
  {
    at: '/integrations/signals',
    open: 'New signal endpoint',
    typed: { 'Signal endpoint name': 'kept', 'Signal endpoint description': 'Typed' },
    submit: 'Add signal endpoint',
  },
  {
    at: '/admin/instance?tab=banners',
    open: 'New banner',
    typed: { Message: 'Kept', Link: 'https://example.com' },
    submit: 'Create banner',
  },
  {
    at: '/admin/groups',
    open: 'New group',
    typed: { 'Group name': 'kept', 'Group description': 'Typed' },
    submit: 'Create group',
  },
  { at: '/admin/auth', typed: { 'Client ID': 'kept', 'Client secret': 'hush' }, submit: 'Save' },
];

describe('session that ends during input', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows the login over the form, keeps its input, and saves it after login', async () => {
    await givenFlag(server(), { name: 'there' });
    const window = await open(server(), { at: '/' });
    for (const [at, form] of forms.entries()) await sendAcrossTheEnd(server(), window, form, at === 0);
  }, 180_000);

  it('shows another user a fresh page', async () => {
    const user = await givenUser(server());
    const window = await open(server(), { at: '/profile' });
    const { page } = window;
    await settled(window);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').fill('of the administrator');
    await endSessions(server());
    // A click by the mouse could fail: a background request of the page may already have shown the login over the
    // button.
    await page.getByRole('button', { name: 'Create token' }).dispatchEvent('click');
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Description').inputValue()).toBe('of the administrator');
    await login.getByLabel('Username or e-mail').fill(user.username);
    await login.getByRole('textbox', { name: 'Password' }).fill(user.password);
    await login.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('May look at everything and change nothing.').waitFor();
    expect(await page.getByLabel('Description').count()).toBe(0);
  });

  it('stays logged in when an answer to the previous session arrives after the login', async () => {
    const window = await open(server(), { at: '/segments' });
    const { page } = window;
    await settled(window);
    const answers = Promise.withResolvers<void>();
    const late = page.waitForResponse((response) => response.url().includes('/api/admin/tag-types'));
    await page.route(
      '**/api/admin/tag-types',
      async (route) => {
        const response = await route.fetch();
        await answers.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await endSessions(server());
    await page.getByRole('link', { name: 'Tag types', exact: true }).dispatchEvent('click');
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.waitFor({ state: 'detached' });
    answers.resolve();
    expect((await late).status()).toBe(401);
    await settled(window);
    expect(await login.count()).toBe(0);
    await page.getByRole('button', { name: 'New tag type' }).waitFor();
  });
});

async function sendAcrossTheEnd(server: TestServer, window: Window, form: Form, look: boolean): Promise<void> {
  const { page } = window;
  await page.goto(form.at);
  await settled(window);
  if (form.open !== undefined) await page.getByRole('button', { name: form.open, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  const place = form.open === undefined ? page.locator('main') : dialog.first();
  const field = (label: string) => place.getByRole('textbox', { name: label, exact: true }).first();
  for (const [label, text] of Object.entries(form.typed)) await field(label).fill(text);
  await endSessions(server);

  const submit = place.getByRole('button', { name: form.submit, exact: true });
  // A click by the mouse could fail: the check of the typed name may already have shown the login over the button.
  await submit.dispatchEvent('click');
  const login = page.getByRole('dialog', { name: 'Your session has ended' });
  await login.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
  if (look) await expectAccessible(page);
  await login.getByRole('button', { name: 'Log in' }).click();
  await login.waitFor({ state: 'detached' });
  await settled(window);
  for (const [label, text] of Object.entries(form.typed))
    expect([form.at, label, await field(label).inputValue()]).toEqual([form.at, label, text]);
  const sent = page.waitForResponse((response) => response.request().method() !== 'GET');
  await submit.click();
  expect([form.at, (await sent).ok()]).toEqual([form.at, true]);
}

/** Ends all sessions of the administrator who has logged in. */
async function endSessions({ admin }: TestServer): Promise<void> {
  const { json } = await admin.call('GET /api/admin/user-admin');
  const { id } = json.users.find(({ username }: { username: string }) => username === 'admin');
  await admin.call('DELETE /api/admin/user-admin/:id/sessions', { params: { id } });
}
