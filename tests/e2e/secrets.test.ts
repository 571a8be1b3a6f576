import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenUser, goodPassword } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { logIn, settled, useBrowser } from './browser.ts';

/** A script that returns everything that the browser stores, the address, and the contents and inputs of the page. */
const keptAndShown = `(async () => JSON.stringify({
  local: { ...localStorage },
  session: { ...sessionStorage },
  cookies: document.cookie,
  databases: await indexedDB.databases(),
  caches: isSecureContext ? await caches.keys() : [],
  address: location.href,
  state: history.state,
  shown: document.documentElement.outerHTML,
  typed: [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
}))()`;

describe('secrets in the browser', () => {
  const server = useServer();
  const open = useBrowser();

  it('are not left in storage, in the URL or on the page', async () => {
    const { username } = await givenUser(server());
    const window = await open(server());
    const { page } = window;
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await logIn(window, '/admin/api');
    const secrets = ['First-Admin-42!', 'Another-Passw0rd', 'hush-hush-hush'];

    await page.getByRole('button', { name: 'New API token' }).first().click();
    await page.getByLabel('Token name').fill('shop');
    await page.getByRole('button', { name: 'Create API token' }).click();
    secrets.push(await takeSecret(page));

    await page.goto(`/admin/users?query=${username}`);
    await page.getByRole('button', { name: 'Actions for A person' }).click();
    await page.getByRole('menuitem', { name: 'Password reset link' }).click();
    secrets.push(await takeSecret(page));
    await page.getByRole('button', { name: 'Actions for A person' }).click();
    await page.getByRole('menuitem', { name: 'Set a password' }).click();
    await page.getByRole('textbox', { name: 'New password' }).fill(goodPassword);
    await page.getByRole('button', { name: 'Set password' }).click();
    // Also enters an accepted password: neither a refused nor an accepted one may be left.
    await page.getByRole('textbox', { name: 'New password' }).fill('Another-Passw0rd');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password set').waitFor();

    await page.goto('/admin/auth');
    await page.getByRole('textbox', { name: 'Client secret' }).fill('hush-hush-hush');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    await page.getByText('A secret is set.').waitFor();

    await page.goto('/profile');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').fill('laptop');
    await page.getByRole('button', { name: 'Create token' }).click();
    secrets.push(await takeSecret(page));
    await settled(window);

    const cookies = await page.context().cookies();
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toBe(true);
    secrets.push(...cookies.map(({ value }) => value));
    const kept = `${await page.evaluate(keptAndShown)} ${addresses.join(' ')}`;
    expect(kept).toContain('/profile');
    expect(secrets.map((secret) => secret.length > 10)).toEqual(secrets.map(() => true));
    expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
  });

  it('are copied over plain HTTP too, where browsers have no clipboard for scripts', async () => {
    const window = await open(server());
    const { page } = window;
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await logIn(window, '/profile');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').fill('plain');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Copy the token' }).click();
    const secret = await takeSecret(page);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').press('ControlOrMeta+v');
    expect(await page.getByLabel('Description').inputValue()).toBe(secret);
  });
});

/** Returns the secret in the dialog, or the token in its link, and closes the dialog. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog').last();
  const text = (await dialog.locator('pre').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  return text.split('token=').at(-1) ?? '';
}
