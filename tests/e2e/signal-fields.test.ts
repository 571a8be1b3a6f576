import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, send } from '../../apps/server/testing/signals.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('the fields of a signal endpoint', () => {
  const server = useServer();
  const open = useBrowser();

  it('are chosen from the paths of the last signal, and values can be dropped', async () => {
    const endpoint = await givenEndpoint(server());
    const job = { name: 'nightly backup', result: 'failed', owner: 'eve@example.com', steps: [{ result: 'ok' }] };
    await send(server(), endpoint, JSON.stringify({ job }));
    const { page, complaints } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: `Actions for ${endpoint.name}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Fields, dropped and hashed values, times' }).click();
    await page.getByRole('combobox', { name: 'Title', exact: true }).fill('job');
    await page.getByRole('option', { name: 'job.name nightly backup' }).click();
    await page.getByText('Last signal: nightly backup').waitFor();
    await page.getByRole('combobox', { name: 'State', exact: true }).fill('job..result');
    await page.getByRole('button', { name: 'Save signal endpoint' }).click();
    await page.getByText('Must be a path such as').waitFor();
    await page.getByRole('combobox', { name: 'State', exact: true }).fill('job.result');
    await page.getByRole('combobox', { name: 'List of alerts' }).fill('job.steps');
    await page.getByRole('combobox', { name: 'State of each alert' }).fill('result');
    await page.getByRole('combobox', { name: 'Dropped values' }).fill('job.owner');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await page
      .screenshot({ path: process.env.SHOT ?? '/dev/null', type: 'png', fullPage: true })
      .catch(() => undefined);
    await page.getByRole('button', { name: 'Save signal endpoint' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { json } = await send(server(), endpoint, JSON.stringify({ job }));
    expect(json.signals[0]).toMatchObject({
      normalized: { title: 'nightly backup', state: 'failed', elements: [{ state: 'resolved' }] },
    });
    expect(JSON.stringify(json)).not.toContain('eve@');
    expect(complaints().filter((text) => !text.includes('400'))).toEqual([]);
  });
});
