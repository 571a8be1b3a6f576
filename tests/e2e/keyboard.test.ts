import { describe, expect, it } from 'vitest';
import { givenSet, isOn } from '../../apps/server/testing/actions.ts';
import { givenEnabled, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { focused, openPalette, useBrowser } from './browser.ts';

describe('keyboard use', () => {
  const server = useServer();
  const open = useBrowser();

  it('is enough to log in, open a project, create a flag and switch it on', async () => {
    const projectId = await givenProject(server(), { name: 'Checkout' });
    const window = await open(server());
    const { page } = window;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Presses Tab until the element with that role and name has the focus. */
    const tabTo = async (role: 'button' | 'link' | 'textbox' | 'switch', name: string) => {
      const wanted = page.getByRole(role, { name, exact: true });
      await wanted.waitFor({ state: 'attached' });
      await expect
        .poll(
          async () => {
            await press('Tab');
            return (await wanted.and(page.locator(':focus')).count()) === 1;
          },
          { interval: 0 },
        )
        .toBe(true);
    };
    await page.goto('/');
    await focused(page.getByLabel('Username or e-mail'));
    await page.keyboard.type('admin');
    await press('Tab');
    await page.keyboard.type('First-Admin-42!');
    await press('Enter');
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    window.complaints();

    await openPalette(page);
    await page.keyboard.type('checkout');
    await page.getByRole('dialog').getByText('Checkout', { exact: true }).waitFor();
    await press('Enter');
    await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
    await tabTo('link', 'New feature flag');
    await press('Enter');
    await focused(page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.type('one-click');
    await press('Enter');
    await page.getByRole('heading', { name: 'one-click', level: 1 }).waitFor();
    await tabTo('switch', 'one-click in development');
    await press('Space');
    await expect
      .poll(() => isOn(server(), { projectId, featureName: 'one-click', environment: 'development' }))
      .toBe(true);

    await tabTo('button', 'Actions for Gradual rollout');
    await press('Enter');
    await focused(page.getByRole('menuitem', { name: 'Edit strategy' }));
    await press('Escape');
    await focused(page.getByRole('button', { name: 'Actions for Gradual rollout' }));
    expect(window.complaints()).toEqual([]);
  });

  it('returns the focus to its place when an overlay is closed', async () => {
    const { featureName } = await givenEnabled(server());
    await givenSet(server());
    await server().admin.call('POST /api/admin/banners', {
      body: { message: 'Come to the demo', link: 'dialog', linkText: 'When', dialogTitle: 'Demo', dialog: 'On Friday' },
    });
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${featureName}` });
    const comesBack = async (name: string | RegExp, closes = 'Escape') => {
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press(closes);
      await focused(page.getByRole('button', { name }));
    };
    await page.getByRole('button', { name: 'When' }).press('Enter');
    await page.getByText('On Friday').waitFor();
    await comesBack('When');
    const menu = page.getByRole('button', { name: /^Actions for / });
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete strategy' }).press('Enter');
    await comesBack(/^Actions for /);

    await page.goto(`/projects/default/features/${featureName}/strategies/create?environmentId=development`);
    await page.getByLabel('Title').fill('For a few');
    const cancel = page.getByRole('link', { name: 'Cancel' });
    await cancel.press('Enter');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.keyboard.press('Escape');
    await focused(cancel);
    await cancel.press('Enter');
    await page.getByRole('button', { name: 'Leave' }).press('Enter');
    await page.getByRole('heading', { name: featureName, level: 1 }).waitFor();

    await page.goto('/integrations/signals');
    await page.getByRole('button', { name: 'New signal endpoint' }).press('Enter');
    await page.getByLabel('Signal endpoint name').fill('alerts');
    await page.getByLabel('Create a token now').check();
    await page.keyboard.press('Enter');
    await page.getByLabel('Token name').fill('prod');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Signal endpoint token created' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await focused(page.getByRole('button', { name: 'New signal endpoint' }));

    await page.goto('/profile');
    const current = page.getByRole('textbox', { name: 'Current password' });
    await current.fill('First-Admin-42!');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'New token' }).focus();
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill('Second-Admin-42!');
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill('Second-Admin-42!');
    await page.keyboard.press('Enter');
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
    complaints();
    await page.keyboard.press('Enter');
    await login.waitFor({ state: 'detached' });
    await focused(page.getByRole('textbox', { name: 'Confirm new password' }));
    expect(await current.inputValue()).toBe('First-Admin-42!');
    expect(complaints()).toEqual([]);
  });
});
