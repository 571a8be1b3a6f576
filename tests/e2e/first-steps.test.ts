import { describe, expect, it } from 'vitest';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

describe('first steps', () => {
  const server = useServer();
  const open = useBrowser();

  it('are listed in a new installation until they are done or dismissed', async () => {
    const window = await open(server(), { at: '/' });
    const { page } = window;
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Create a flag' }).click();
    await page.getByLabel('Name').fill('first');
    await page.getByRole('button', { name: 'Create feature flag' }).click();
    await page.getByRole('heading', { name: 'first', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Projects' }).first().click();
    await steps.getByText('Done').waitFor();
    // A token without a connected application does not complete the step.
    await givenToken(server());
    await page.reload();
    const next = steps.getByRole('link', { name: 'Connect your application' });
    await next.waitFor();
    expect(await steps.getByText('Done').count()).toBe(1);
    await steps.getByRole('link', { name: 'Send a test signal' }).waitFor();
    await expectAccessible(page);
    await steps.getByRole('button', { name: 'Hide' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Default' }).waitFor();
    await settled(window);
    expect(await steps.count()).toBe(0);
    expect(window.complaints()).toEqual([]);
  });

  it('show a flag that was switched on in the table, and its event in the log', async () => {
    const { featureName } = await givenFlag(server());
    const { page, complaints } = await open(server(), { at: '/projects/default' });
    const state = page.getByRole('switch', { name: `${featureName} in development` });
    await state.click({ force: true });
    await expect.poll(() => state.isChecked()).toBe(true);
    await page.getByRole('link', { name: 'Event log' }).click();
    const event = page.getByRole('button', { name: 'Flag enabled' });
    await event.filter({ hasText: featureName }).waitFor();
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
      params: { projectId: 'default', featureName },
    });
    expect(json.environments.find(({ name }: { name: string }) => name === 'development').enabled).toBe(true);
    expect(complaints()).toEqual([]);
  });

  it('keep the typed text when the session ends and the user logs in again', async () => {
    const { page } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: 'New signal endpoint' }).first().click();
    await page.getByLabel('Signal endpoint name').fill('kept');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Signal endpoint name').inputValue()).toBe('kept');
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    await page.getByRole('button', { name: 'Actions for kept' }).waitFor();
  });
});
