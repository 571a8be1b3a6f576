import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../../apps/server/testing/mail-server.ts';
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

describe('a forgotten password', () => {
  let mail: MailServer;
  const settings = { emailHost: '127.0.0.1', emailSender: 'Flags <flags@example.com>', emailPort: 1 };
  beforeAll(async () => {
    mail = await startMailServer({ disabledCommands: ['STARTTLS'] });
    settings.emailPort = mail.port;
  });
  afterAll(() => mail.close());
  const server = useServer(settings);
  const open = useBrowser();

  it('is replaced by a link that the login page sends by e-mail', async () => {
    const email = 'forgetful@example.com';
    await server().admin.call('POST /api/admin/user-admin', { body: { email, rootRole: 'Editor', sendEmail: false } });
    const window = await open(server());
    const { page } = window;
    await page.goto('/');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail of your account').fill('no address');
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByText('Must be an e-mail address.').waitFor();
    await page.getByLabel('E-mail of your account').fill(email);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByRole('status').filter({ hasText: 'Check your e-mail' }).waitFor();
    await expect.poll(() => mail.received.length).toBe(1);
    const { pathname, search } = new URL(/https?:\/\/\S+token=[\w-]+/.exec(mail.received[0]?.text ?? '')?.[0] ?? '');
    await page.goto(pathname + search);
    await page.getByText(`For ${email}`).waitFor();
    expect(window.complaints().filter((text) => !/40[01]/.test(text))).toEqual([]);
  });

  it('is reset by an administrator, who sees that the link is sent', async () => {
    const email = 'helped@example.com';
    const body = { email, rootRole: 'Editor', sendEmail: false } as const;
    await server().admin.call('POST /api/admin/user-admin', { body });
    const { page, complaints } = await open(server(), { at: '/admin/users' });
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Password reset link' }).click();
    await page.getByText('The user gets this link by e-mail.').waitFor();
    await expectAccessible(page);
    await expect.poll(() => mail.received.filter(({ to }) => to.includes(email)).length).toBe(1);
    expect(complaints()).toEqual([]);
  });
});
