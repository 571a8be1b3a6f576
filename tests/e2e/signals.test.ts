import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, received, send } from '../../apps/server/testing/signals.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

/** Returns the text of the clipboard once it has the words. A button writes it after the click has returned. */
async function copied(page: Page, words: string): Promise<string> {
  let text = '';
  const read = async () => {
    text = await page.evaluate<string>('navigator.clipboard.readText()');
    return text;
  };
  await expect.poll(read).toContain(words);
  return text;
}

/** Creates a token for a script that may do everything. */
async function administratorsKey(server: TestServer): Promise<string> {
  const { json: account } = await server.admin.call('POST /api/admin/service-account', {
    body: { username: 'script', name: 'Script', rootRole: 1 },
  });
  const { json } = await server.admin.call('POST /api/admin/service-account/:id/token', {
    params: { id: account.id },
    body: { description: 'shell', expiresAt: '2099-01-01T00:00:00.000Z' },
  });
  return json.secret;
}

/** Runs a command as if pasted into bash, and returns its output. */
async function shell(command: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', command])).stdout;
}

describe('signal endpoints', () => {
  const server = useServer();
  const open = useBrowser();

  it('are found by Configure, Integrations, Signals, and offer New signal endpoint and View signals', async () => {
    const { page, complaints } = await open(server(), { at: '/' });
    await page.getByRole('heading', { name: 'Configure' }).waitFor();
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: /Signals/ }).click();
    await page.getByRole('button', { name: 'New signal endpoint' }).first().click();
    await page.getByLabel('Signal endpoint name').fill('Not a name');
    await page.getByText('Use only lower-case letters').waitFor();
    await page.getByLabel('Signal endpoint name').fill('alerts');
    await page.getByLabel('Signal endpoint description').fill('Alertmanager of production');
    expect(await page.getByLabel('Signal endpoint URL').inputValue()).toBe(
      `${server().url}/api/signal-endpoint/alerts`,
    );
    await page.getByLabel('Create a token now').check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    await page.getByLabel('Token name').fill('alertmanager');
    await expectAccessible(page);
    await page.getByRole('dialog', { name: 'New token' }).getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'Signal endpoint token created' });
    const token = await made.locator('pre').first().textContent();
    await expectAccessible(page);
    await made.getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 endpoint, at most 5').waitFor();
    await page.getByRole('button', { name: 'Actions for alerts' }).click();
    await page.getByRole('menuitem', { name: 'View signals' }).click();
    await page.getByText('No signals yet').waitFor();
    const sent = await server()
      .client(`Bearer ${token}`)
      .request('POST', '/api/signal-endpoint/alerts', {
        body: { type: 'alert', data: { status: 'firing' } },
      });
    expect(sent.status).toBe(200);
    // The signal appears without a reload.
    await page.getByText('Payload of signal 1').waitFor();
    const [received] = (await page.getByRole('button', { name: /alertmanager/ }).allTextContents()) as [string];
    expect(received).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.*alertmanager.*alert · firing/);
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });

  it('get another token, whose shell command works as pasted, and lose it by deletion', async () => {
    const window = await open(server());
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await logIn(window, '/integrations/signals');
    await page.getByRole('button', { name: 'New signal endpoint' }).first().click();
    expect(await page.getByLabel('Create a token later').isChecked()).toBe(true);
    await page.getByLabel('Signal endpoint name').fill('pasted');
    await page.getByLabel('Signal endpoint description').fill('what\'s "said" for $5');
    await page.getByRole('button', { name: 'Copy the command' }).click();
    const form = await copied(page, 'INSERT_API_KEY');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const key = await administratorsKey(server());
    expect(JSON.parse(await shell(form.replace('INSERT_API_KEY', key)))).toMatchObject({ name: 'pasted' });
    await page.reload();
    await page
      .getByRole('row', { name: /pasted/ })
      .getByText(`what's "said" for $5`)
      .waitFor();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Token name').fill('shell');
    await page.getByRole('dialog', { name: 'New token' }).getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('dialog', { name: 'Signal endpoint token created' });
    await shown.getByRole('button', { name: 'Copy the command' }).click();
    const sending = await copied(page, '/api/signal-endpoint/pasted');
    expect(JSON.parse(await shell(sending))).toMatchObject({ duplicate: false });
    // Escape does not close the dialog, only its button: the token is not shown again.
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Delete the token shell' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete token?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete token' }).click();
    await page.getByText('No tokens yet').waitFor();
    expect(JSON.parse(await shell(sending))).toMatchObject({ name: 'UnauthorizedError' });
    expect(window.complaints()).toEqual([]);
  });

  it('receive a test signal, search signals by words and time, load more, and copy a payload', async () => {
    const window = await open(server());
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const endpoint = await givenEndpoint(server());
    for (let n = 1; n <= 21; n++) {
      await send(server(), endpoint, JSON.stringify({ alert: `Alert-${n}`, labels: { severity: 'page' } }));
      server().clock.advance(60_000);
    }
    await logIn(window, '/integrations/signals');
    await page.getByRole('button', { name: `Actions for ${endpoint.name}` }).click();
    await page.getByRole('menuitem', { name: 'View signals' }).click();
    const list = page.getByRole('list', { name: 'Signals, newest first' });
    const count = () => list.getByRole('listitem').count();
    await list.getByText('Alert-21').waitFor();
    expect(await count()).toBe(20);
    await page.getByRole('button', { name: 'Load more' }).click();
    await list.getByText('Alert-1 ', { exact: false }).last().waitFor();
    await expect.poll(count).toBe(21);
    await page.getByLabel('Search signals').fill('alert-7 PAGE');
    await expect.poll(count).toBe(1);
    await page.getByRole('button', { name: 'Copy the payload' }).click();
    expect(JSON.parse(await copied(page, 'Alert-7'))).toEqual({ alert: 'Alert-7', labels: { severity: 'page' } });
    await page.getByText('Raw', { exact: true }).click();
    await page.getByText('"severity": "page"').waitFor();
    await page.reload();
    await list.getByText('Alert-7').waitFor();
    expect(await count()).toBe(1);
    await page.getByLabel('Search signals').fill('');
    await expect.poll(count).toBe(20);
    await page.getByLabel('From', { exact: true }).fill('2999-01-01T00:00');
    await page.getByText('No signals match').waitFor();
    await page.getByLabel('From', { exact: true }).fill('');
    await expect.poll(count).toBe(20);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send a test signal' }).click();
    const test = page.getByRole('dialog', { name: 'Send a test signal' });
    await test.getByLabel('Body').fill('{"alert": nothing}');
    await test.getByRole('button', { name: 'Send', exact: true }).click();
    await test.getByText(/^Invalid JSON/).waitFor();
    expect(await test.getByLabel('Body').getAttribute('aria-invalid')).toBe('true');
    await test.getByLabel('Body').fill('{"alert": "tried out"}');
    await test.getByRole('button', { name: 'Send', exact: true }).click();
    await test.getByText('200: accepted').waitFor();
    await test.getByText('"tried out"', { exact: true }).waitFor();
    await expectAccessible(page);
    await test.getByRole('button', { name: 'Close' }).last().click();
    await list.getByRole('button', { name: /Test signal.*tried out/ }).waitFor();
    await page.goto('/history?type=signal-endpoint-tested');
    await page.getByRole('button', { name: /Test signal sent/, expanded: false }).waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('are deleted only after their name is typed', async () => {
    const window = await open(server());
    const { page } = window;
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'deploys' } });
    await logIn(window, '/integrations/signals');
    await page.getByRole('button', { name: 'Actions for deploys' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete signal endpoint?' });
    const remove = dialog.getByRole('button', { name: 'Delete signal endpoint' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type deploys to confirm').fill('deploys');
    await remove.click();
    await page.getByRole('button', { name: 'Actions for deploys' }).waitFor({ state: 'detached' });
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints');
    expect(json.signalEndpoints.map(({ name }: { name: string }) => name)).not.toContain('deploys');
    expect(window.complaints()).toEqual([]);
  });

  it('show refusals at their fields and keep all input', async () => {
    const { page } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: 'New signal endpoint' }).first().click();
    await page.getByLabel('Signal endpoint name').fill('taken-meanwhile');
    await page.getByLabel('Signal endpoint description').fill('typed with care');
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'taken-meanwhile' } });
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    await page.getByText('Is taken.').waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel('Signal endpoint description').inputValue()).toBe('typed with care');
  });

  it('keep a selected signal open while newer signals push it out of the loaded list', async () => {
    const endpoint = await givenEndpoint(server());
    await send(server(), endpoint, '{"alert":"first"}');
    const [signal] = (await received(server(), endpoint)).json.signalEndpointSignals;
    const { page, complaints } = await open(server(), { at: `/integrations/signals?view=${endpoint.id}` });
    await page.getByRole('list', { name: 'Signals, newest first' }).getByRole('button').first().click();
    await page.waitForURL(/signal=/);
    for (let count = 0; count < 20; count++) await send(server(), endpoint, `{"alert":"later ${count}"}`);
    await page.getByText('later 0').first().waitFor();
    await page.getByText('later 19').first().waitFor();
    await page.getByRole('region', { name: `Signal ${signal.id}` }).waitFor();
    await page.reload();
    await page
      .getByRole('region', { name: `Signal ${signal.id}` })
      .getByText('first')
      .waitFor();
    expect(complaints()).toEqual([]);
  });
});
