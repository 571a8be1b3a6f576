import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

/** Specification section 1, in its own words. */
describe('a person who connects a system that sends signals', () => {
  const server = useServer();
  const open = useBrowser();

  it('finds Integrations in the Configure menu, Signals, New signal endpoint, and View signals on its row', async () => {
    const window = await open(server());
    const { page } = window;
    await logIn(window);
    await page.getByRole('heading', { name: 'Configure' }).waitFor();
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: /Signals/ }).click();
    await page.getByRole('button', { name: 'New signal endpoint' }).first().click();
    await page.getByLabel('Signal endpoint name').fill('Not a name');
    await page.getByText('Only lower-case letters').waitFor();
    await page.getByLabel('Signal endpoint name').fill('alerts');
    await page.getByLabel('Signal endpoint description').fill('Alertmanager of production');
    expect(await page.getByLabel('Signal endpoint URL:').inputValue()).toBe(
      `${server().url}/api/signal-endpoint/alerts`,
    );
    await page.getByLabel('Generate a token now').check();
    await page.getByLabel('Token name').fill('alertmanager');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    const made = page.getByRole('dialog', { name: 'Signal endpoint token created' });
    const token = await made.locator('pre').first().textContent();
    await expectAccessible(page);
    await made.getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 of 5').waitFor();
    await page.getByRole('button', { name: 'Actions for alerts' }).click();
    await page.getByRole('menuitem', { name: 'View signals' }).click();
    await page.getByText('No signals yet').waitFor();
    const sent = await server()
      .client(`Bearer ${token}`)
      .request('POST', '/api/signal-endpoint/alerts', {
        body: { type: 'alert', data: { status: 'firing' } },
      });
    expect(sent.status).toBe(200);
    // It appears without the page being loaded again.
    await page.getByText('Payload of signal 1').waitFor();
    await page.getByText('firing').waitFor();
    await page.getByRole('cell', { name: 'alertmanager', exact: true }).waitFor();
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });

  it('deletes an endpoint only after typing its name', async () => {
    const window = await open(server());
    const { page } = window;
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'deploys' } });
    await logIn(window, '/integrations/signals');
    await page.getByRole('button', { name: 'Actions for deploys' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete signal endpoint?' });
    const remove = dialog.getByRole('button', { name: 'Delete signal endpoint' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type deploys to delete it').fill('deploys');
    await remove.click();
    await page.getByRole('button', { name: 'Actions for deploys' }).waitFor({ state: 'detached' });
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints');
    expect(json.signalEndpoints.map(({ name }: { name: string }) => name)).not.toContain('deploys');
    expect(window.complaints()).toEqual([]);
  });

  it('is told at the field what the server refuses, and loses nothing typed', async () => {
    const window = await open(server());
    const { page } = window;
    await logIn(window, '/integrations/signals');
    await page.getByRole('button', { name: 'New signal endpoint' }).first().click();
    await page.getByLabel('Signal endpoint name').fill('taken-meanwhile');
    await page.getByLabel('Signal endpoint description').fill('typed with care');
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'taken-meanwhile' } });
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    await page.getByText('Is taken.').waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel('Signal endpoint description').inputValue()).toBe('typed with care');
  });
});
