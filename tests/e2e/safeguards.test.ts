import { describe, expect, it } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '../../apps/server/testing/impact-metrics.ts';
import { givenPlan, passMinutes } from '../../apps/server/testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '../../apps/server/testing/safeguards.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

/** Lets a minute pass in which a service reports 100 requests and some errors. */
async function minute(name: string, errors: number): Promise<void> {
  const metrics = [
    { name: `${name}_errors`, samples: [{ value: errors }] },
    { name: `${name}_requests`, samples: [{ value: 100 }] },
  ];
  await reportMetrics(server(), metrics, 'development');
  server().clock.advance(60_000);
  await server().app.service.jobs.runDue();
}

/** Opens the dialog that adds a safeguard on the page of a flag. */
async function openDialog(featureName: string, width: number) {
  const window = await open(server(), { at: `/projects/default/features/${featureName}`, width });
  const { page } = window;
  const development = page.getByRole('region', { name: 'development' });
  await development.getByRole('button', { name: 'Add safeguard' }).click();
  return { window, page, development, dialog: page.getByRole('dialog') };
}

describe.each([1280, 380])('a safeguard, in a window %s px wide', (width) => {
  it('is added to a plan with its metric in view, shows what it saw, halts the plan and is deleted', async () => {
    const name = metricNamed('pay');
    startMinute(server());
    const flag = await givenEnabled(server());
    const { params } = await givenPlan(server(), undefined, flag);
    for (let count = 0; count < 3; count++) await minute(name, 1);
    const { window, page, development, dialog } = await openDialog(flag.featureName, width);
    // The address is relative to the base of the page.
    const guide = await dialog.getByRole('link', { name: 'How SDKs report metrics' }).getAttribute('href');
    const [path, heading] = guide?.split('#') ?? [];
    expect(await (await page.request.get(`/${path}`)).text()).toContain(`id="${heading}"`);
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: `unleash_counter_${name}_errors` }).click();
    await dialog.getByText('Newest: 1', { exact: false }).waitFor();
    await dialog.getByRole('combobox', { name: 'Divided by' }).click();
    await page.getByRole('option', { name: `unleash_counter_${name}_requests` }).click();
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('0.05');
    await settled(window);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add safeguard' }).click();
    await dialog.waitFor({ state: 'detached' });
    const safeguards = development.getByRole('region', { name: 'Safeguards' });
    await safeguards.getByText('above 0.05: halts the plan').waitFor();
    expect(await safeguardsOf(server(), params)).toHaveLength(1);
    for (let count = 0; count < 3; count++) await minute(name, 40);
    await safeguards.getByText('Triggered', { exact: true }).waitFor();
    await development.getByText(/Safeguard: unleash_counter_pay_\w+_errors .* above 0.05/).waitFor();
    await expectAccessible(page);
    await safeguards.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete safeguard' }).click();
    await safeguards.waitFor({ state: 'detached' });
    expect(await safeguardsOf(server(), params)).toEqual([]);
    expect(window.complaints()).toEqual([]);
  });

  it('keeps the place of the chart while the values of the metric are loaded', async () => {
    const name = metricNamed('pay');
    startMinute(server());
    const flag = await givenEnabled(server());
    await givenPlan(server(), undefined, flag);
    await minute(name, 1);
    const { window, page, dialog } = await openDialog(flag.featureName, width);
    const answer = Promise.withResolvers<void>();
    await page.route(/metricName=/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: `unleash_counter_${name}_errors` }).click();
    await dialog.getByText('in the last hour').waitFor();
    const placeOfThen = async () => (await dialog.getByRole('combobox', { name: 'Then' }).boundingBox())?.y;
    const before = await placeOfThen();
    answer.resolve();
    await dialog.getByText('Newest: 1', { exact: false }).waitFor();
    await settled(window);
    expect(await placeOfThen()).toBe(before);
    expect(window.complaints()).toEqual([]);
  });

  it('is on Now when it has had no value for five minutes, until it has one', async () => {
    const name = metricNamed('pay');
    startMinute(server());
    const flag = await givenEnabled(server());
    const { params } = await givenPlan(server(), undefined, flag);
    await setSafeguard(server(), params, moreThan(10, `unleash_counter_${name}_errors`));
    for (let count = 0; count < 7; count++) await passMinutes(server(), 1);
    const window = await open(server(), { at: '/personal', width });
    const { page } = window;
    const trouble = page.getByRole('region', { name: 'Needs attention' });
    await trouble.getByRole('link', { name: flag.featureName }).waitFor();
    await trouble.getByText(`The safeguard sees no value of unleash_counter_${name}_errors (count,`).waitFor();
    await settled(window);
    await expectAccessible(page);
    await minute(name, 1);
    await minute(name, 1);
    await trouble.getByRole('link', { name: flag.featureName }).waitFor({ state: 'detached' });
    expect(window.complaints()).toEqual([]);
  });

  it('holds the flag until its metric is back', async () => {
    const name = metricNamed('pay');
    startMinute(server());
    const flag = await givenEnabled(server());
    await givenPlan(server(), undefined, flag);
    for (let count = 0; count < 3; count++) await minute(name, 1);
    const { window, page, development, dialog } = await openDialog(flag.featureName, width);
    await dialog.getByRole('combobox', { name: 'Metric' }).click();
    await page.getByRole('option', { name: `unleash_counter_${name}_errors` }).click();
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('30');
    await dialog.getByRole('combobox', { name: 'Then' }).click();
    await page.getByRole('option', { name: 'Hold the flag at the milestone before until the metric is back' }).click();
    await settled(window);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add safeguard' }).click();
    await dialog.waitFor({ state: 'detached' });
    const safeguards = development.getByRole('region', { name: 'Safeguards' });
    await safeguards.getByText('above 30: holds the flag at the milestone before').waitFor();
    for (let count = 0; count < 2; count++) await minute(name, 40);
    await development.getByText('Configured on, held off by Safeguard').waitFor();
    await safeguards.getByText(/^Triggered. Now \d+; released once it is back$/).waitFor();
    await expectAccessible(page);
    for (let count = 0; count < 7; count++) await minute(name, 0);
    await development.getByText('Configured on, held off by Safeguard').waitFor({ state: 'detached' });
    expect(window.complaints()).toEqual([]);
  });
});
