import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('a token of a signal endpoint', () => {
  const server = useServer();
  const open = useBrowser();

  it('waits for its first signal, and has limits of its own that can be changed', async () => {
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', {
      body: { name: 'pushes', source: 'github' },
    });
    const { page, complaints } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    const making = page.getByRole('dialog', { name: 'New token' });
    await making.getByLabel('Token name').fill('github');
    await making.getByLabel('Signals a second').fill('5');
    await expectAccessible(page);
    await making.getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'Signal endpoint token created' });
    await made.getByText('Set up GitHub').waitFor();
    await made.getByText('Waiting for the first signal…').waitFor();
    const guide = await made.getByRole('link', { name: 'What Yardarm reads of GitHub' }).getAttribute('href');
    expect(await (await page.request.get(`/${guide}`)).text()).toContain('X-Hub-Signature-256'.toLowerCase());
    const secret = (await made.locator('pre').first().textContent()) ?? '';
    const raw = '{"action":"created"}';
    const signature = createHmac('sha256', secret).update(raw).digest('hex');
    const sent = await server().anonymous.request('POST', '/api/signal-endpoint/pushes', {
      raw,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    });
    expect(sent.status).toBe(200);
    // The dialog shows the signal without a click.
    await made.getByText(/^Signal \d+ arrived$/).waitFor();
    await made.getByRole('link', { name: 'View it, and make an action from it' }).waitFor();
    await expectAccessible(page);
    await made.getByRole('button', { name: 'Close' }).click();
    await page.getByText('5 a second').waitFor();
    await page.getByRole('button', { name: 'Edit the token github' }).click();
    const editing = page.getByRole('dialog', { name: 'Edit token' });
    await editing.getByLabel('Signals a second').fill('2');
    await expectAccessible(page);
    await editing.getByRole('button', { name: 'Save token' }).click();
    await page.getByText('2 a second').waitFor();
    const tokens = await server().admin.call('GET /api/admin/signal-endpoints/:signalEndpointId/tokens', {
      params: { signalEndpointId: json.id },
    });
    expect(tokens.json.signalEndpointTokens).toMatchObject([{ name: 'github', ratePerSecond: 2, burst: null }]);
    expect(complaints()).toEqual([]);
  });

  it('of the sender is shown as it is, also when its secret has dollar signs', async () => {
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'dollars', source: 'github' } });
    const { page } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: 'Actions for dollars' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    const making = page.getByRole('dialog', { name: 'New token' });
    await making.getByLabel('Token name').fill('github');
    await making.getByLabel('Secret of the sender').fill('abc$$$&1234567890123');
    await making.getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'Signal endpoint token created' });
    await made.getByText('Set up GitHub').waitFor();
    expect(await made.getByText('abc$$$&1234567890123').count()).toBeGreaterThan(1);
    expect(await made.getByText('abc$$&1234567890123').count()).toBe(0);
  });

  it('of Checkly is shown with the body to enter there, whatever its authentication is', async () => {
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'checks', source: 'checkly' } });
    const { page, complaints } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: 'Actions for checks' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const making = page.getByRole('dialog', { name: 'New token' });
    const made = page.getByRole('dialog', { name: 'Signal endpoint token created' });
    const fieldsOf = async (name: string, authentication?: string) => {
      await page.getByRole('button', { name: 'New token' }).click();
      await making.getByLabel('Token name').fill(name);
      if (authentication !== undefined) {
        await making.getByRole('combobox', { name: 'Authentication' }).click();
        await page.getByRole('option', { name: authentication }).click();
      }
      await making.getByRole('button', { name: 'Create token' }).click();
      await made.getByText('Set up Checkly').waitFor();
      await expectAccessible(page);
      const copies = await made.getByRole('button', { name: /^Copy: / }).all();
      const labels = await Promise.all(copies.map((button) => button.getAttribute('aria-label')));
      await made.getByRole('button', { name: 'Close' }).click();
      return labels.map((label) => label?.replace('Copy: ', ''));
    };
    expect(await fieldsOf('signing')).toEqual(['URL', 'Webhook secret', 'Header Content-Type', 'Body']);
    const bearer = await fieldsOf('bearer', 'Bearer token');
    expect(bearer).toEqual(['URL', 'Authorization header', 'Header Content-Type', 'Body']);
    expect(complaints()).toEqual([]);
  });
});
