import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenActionPlace, signal } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, openPalette, useBrowser } from './browser.ts';

/** Returns the body of a recorded request of Alertmanager. */
const recorded = async (state: 'firing-1' | 'resolved') =>
  JSON.parse(await readFile(new URL(`../payloads/alertmanager-0.25-${state}.body.json`, import.meta.url), 'utf8'));

describe('an action made from a signal', () => {
  const server = useServer();
  const open = useBrowser();

  it('holds the flag while the alert fires, after only its flag and service account are chosen, and is on the page Actions', async () => {
    const place = await givenActionPlace(server());
    const { endpoint, flag, projectId } = place;
    const { name, id } = endpoint;
    const body = { name, source: 'alertmanager' } as const;
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
    await signal(server(), place, await recorded('firing-1'));
    const { page, complaints } = await open(server(), { at: `/integrations/signals?view=${id}` });
    await page.getByRole('button', { name: 'Make an action from this signal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make an action' });
    await choose(dialog.getByRole('combobox', { name: 'Project' }), projectId);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const form = page.getByRole('dialog', { name: 'New action' });
    expect(await form.getByLabel('Action name').inputValue()).toBe('Hold off while InstanceDown');
    expect(await form.getByLabel('Release held flags with a later signal').isChecked()).toBe(true);
    const account = form.getByRole('combobox', { name: 'Service account' });
    await account.click();
    await page.getByRole('option').last().click();
    await choose(form.getByRole('combobox', { name: 'Environment', exact: true }), flag.environment);
    await choose(form.getByRole('combobox', { name: 'Feature flag', exact: true }), flag.featureName);
    const minutes = form.getByLabel('Minutes until it is released automatically', { exact: true });
    await minutes.fill('60');
    await form.getByText('repeats an alert that still fires every 240 minutes').waitFor();
    await minutes.fill('');
    const release = form.getByLabel('Release held flags with a later signal');
    await release.uncheck();
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.getByText('or confirm that they stay held').waitFor();
    await expectAccessible(page);
    await release.check();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.waitFor({ state: 'detached' });

    const held = async () => (await server().admin.call('GET /api/admin/leases')).json.leases;
    await signal(server(), place, await recorded('firing-1'));
    expect(await held()).toMatchObject([
      { featureName: flag.featureName, effect: 'off', reason: 'Instance 127.0.0.1:1 down' },
    ]);
    await signal(server(), place, await recorded('resolved'));
    expect(await held()).toEqual([]);

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Actions' }).click();
    const row = page.getByRole('row', { name: /Hold off while InstanceDown/ });
    await row.getByText('Succeeded').waitFor();
    await expectAccessible(page);
    await row.getByRole('link', { name: /^Run \d+$/ }).click();
    await page.getByRole('heading', { name: /^Run \d+$/, level: 1 }).waitFor();

    const search = await openPalette(page);
    await search.fill('while instancedown');
    await page.getByRole('dialog').filter({ has: search }).getByText('Hold off while InstanceDown').click();
    await page.getByRole('dialog', { name: 'Runs: Hold off while InstanceDown' }).waitFor();
    expect(complaints()).toEqual([]);
  });
});

/** Types into a searchable select and chooses an option. */
async function choose(box: Locator, option: string): Promise<void> {
  await box.fill(option);
  await box.page().getByRole('option', { name: option }).first().click();
}
