import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, send } from '../../apps/server/testing/signals.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const path = 'alerts[0].labels.alertname';

describe('the expected signal of an endpoint', () => {
  const server = useServer();
  const open = useBrowser();

  it('is chosen with a filter, is described at the endpoint, and is missed on Now while others come', async () => {
    const endpoint = await givenEndpoint(server());
    const alert = (alertname: string) =>
      send(server(), endpoint, JSON.stringify({ alerts: [{ labels: { alertname } }] }));
    await alert('Watchdog');
    const { page, complaints } = await open(server(), { at: `/integrations/signals?edit=${endpoint.id}` });
    await page.getByRole('button', { name: 'Fields, dropped and hashed values, times' }).click();
    await page.getByLabel('Expects a signal every … minutes').waitFor();
    expect(await page.getByRole('button', { name: 'Add filter' }).count()).toBe(0);
    await page.getByLabel('Expects a signal every … minutes').fill('5');
    await page.getByText('Without filters, every signal counts').waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    const filter = page.getByRole('group', { name: 'Filter 1' });
    await filter.getByRole('combobox', { name: 'Parameter' }).fill('alerts[x]');
    await filter.getByRole('combobox', { name: 'Values' }).fill('Watchdog');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save signal endpoint' }).click();
    await filter.getByText('Must be a path such as').waitFor();
    await filter.getByRole('combobox', { name: 'Parameter' }).fill('alertname');
    await page.getByRole('option', { name: path }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save signal endpoint' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const expectation = `Expects a signal where ${path} is Watchdog every 5 minutes`;
    await page.getByRole('row', { name: endpoint.name }).getByText(expectation).waitFor();
    await page.getByRole('button', { name: `Actions for ${endpoint.name}` }).click();
    await page.getByRole('menuitem', { name: 'View signals' }).click();
    await page.getByRole('dialog').getByText(expectation).waitFor();
    await expectAccessible(page);

    server().clock.advance(6 * 60_000);
    await alert('HighLatency');
    await server().app.service.jobs.runDue();
    await page.goto('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(`No signal where ${path} is Watchdog since`).waitFor();
    await attention.getByText('One is expected every 5 minutes').waitFor();
    await expectAccessible(page);
    await page.goto(`/integrations/signals?view=${endpoint.id}`);
    const list = page.getByRole('list', { name: 'Signals, newest first' });
    await list.getByText(`No signal from ${endpoint.name} where ${path} = Watchdog since`).waitFor();
    // A long title of a silence must not make the list wider than its column, which has five twelfths of 1100 px.
    expect((await list.boundingBox())?.width).toBeLessThan(460);
    expect(complaints().filter((text) => !text.includes('400'))).toEqual([]);
  });
});
