import { describe, expect, it } from 'vitest';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { setOidc, useProvider } from '../../apps/server/testing/single-sign-on.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('login', () => {
  const server = useServer();
  const provider = useProvider(server);
  const open = useBrowser();

  it('goes through the provider and leads to the requested page', async () => {
    const { page } = await open(server());
    await page.goto('/history');
    const button = page.getByRole('link', { name: 'Sign in with OpenID Connect' });
    await button.waitFor();
    await expectAccessible(page);
    await button.click();
    await page.getByRole('heading', { name: 'Event log', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/history');
  });

  it('shows once why the provider’s answer was refused', async () => {
    await setOidc(server(), { autoCreate: false });
    const { page } = await open(server());
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in with OpenID Connect' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'Ask an administrator' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('link', { name: 'Sign in with OpenID Connect' }).waitFor();
    expect(await alert.count()).toBe(0);
    expect(provider().user['email']).toBeDefined();
  });

  it('sets a password by an administrator’s link, and shows what a weak password lacks', async () => {
    const { id } = await givenUser(server());
    const { json } = await server().admin.call('POST /api/admin/user-admin/reset-password', {
      body: { id },
    });
    const { page } = await open(server());
    const { pathname, search } = new URL(json.resetPasswordUrl);
    await page.goto(pathname + search);
    const password = page.getByRole('textbox', { name: 'New password' });
    await password.fill('too-short');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page
      .getByText(/must|characters long/i)
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(await password.inputValue()).toBe('too-short');
    await password.fill('Much-Better-42!');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password set').waitFor();
    await page.reload();
    await page.getByText('Invalid link').waitFor();
  });

  it('creates an account by an invite link', async () => {
    const link = await server().admin.call('POST /api/admin/invite-link/tokens', {
      body: { name: 'For the team', expiresAt: '2099-01-01T00:00:00.000Z' },
    });
    const { page } = await open(server());
    const { pathname, search } = new URL(link.json.url);
    await page.goto(pathname + search);
    await page.getByLabel('Full name').fill('Ada');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill('Much-Better-42!');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Your account has been created').waitFor();
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Username or e-mail').fill('ada@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill('Much-Better-42!');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
    await page.goto('/new-user?invite=unknown');
    await page.getByText('Invalid invite link').waitFor();
  });
});
