import { describe, expect, it } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '../../apps/server/testing/impact-metrics.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

describe.each([1280, 380])('charts of a flag, in a window %s px wide', (width) => {
  it('compare a metric with and without the flag, are edited and deleted', async () => {
    const name = metricNamed('orders');
    startMinute(server());
    const { featureName } = await givenEnabled(server());
    const label = featureName.replaceAll('-', '_');
    for (let minute = 1; minute <= 5; minute++) {
      const samples = [
        { value: 10 * minute, labels: { [featureName]: 'enabled' } },
        { value: 7, labels: { [featureName]: 'disabled' } },
      ];
      await reportMetrics(server(), [{ name, samples }]);
      server().clock.advance(60_000);
    }
    const window = await open(server(), { at: `/projects/default/features/${featureName}/metrics`, width });
    const { page } = window;
    const charts = page.getByRole('region', { name: 'Impact metrics' });
    await charts.getByText('No charts yet', { exact: false }).waitFor();
    await charts.getByRole('button', { name: 'Add chart' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save chart' }).click();
    await dialog.getByText('Choose a metric.').waitFor();
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: `unleash_counter_${name}` }).click();
    expect(await dialog.getByRole('combobox', { name: 'A line for each value of' }).inputValue()).toBe(label);
    await settled(window);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save chart' }).click();
    await dialog.waitFor({ state: 'detached' });
    const chart = charts.getByRole('region', { name });
    await chart.getByText('with the flag: 50').waitFor();
    await chart.getByText('without the flag: 7').waitFor();
    await settled(window);
    await expectAccessible(page);

    await chart.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Title').fill('Orders');
    await dialog.getByRole('button', { name: 'Save chart' }).click();
    await dialog.waitFor({ state: 'detached' });
    const renamed = charts.getByRole('region', { name: 'Orders' });
    await renamed.getByText('with the flag: 50').waitFor();
    await renamed.getByRole('button', { name: 'Actions for Orders' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete chart' }).click();
    await charts.getByText('No charts yet', { exact: false }).waitFor();
    expect(window.complaints()).toEqual([]);
  });
});

it('charts of a flag offer a viewer nothing to add, and the page says once that the flag may not be changed', async () => {
  const { featureName } = await givenEnabled(server());
  const window = await open(server(), {
    at: `/projects/default/features/${featureName}/metrics`,
    as: await givenUser(server(), 'Viewer'),
  });
  const charts = window.page.getByRole('region', { name: 'Impact metrics' });
  await charts.getByText('No charts yet', { exact: false }).waitFor();
  await window.page.getByText('You may not change this flag.').waitFor();
  expect(await charts.getByRole('button', { name: 'Add chart' }).count()).toBe(0);
});
