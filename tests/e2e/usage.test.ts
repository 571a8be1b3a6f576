import { describe, expect, it } from 'vitest';
import { givenApplication } from '../../apps/server/testing/applications.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

describe('usage of flags', () => {
  const server = useServer();
  const open = useBrowser();

  it('leads from an application to its flags, its unknown flags, and the counts of a flag', async () => {
    const { featureName } = await givenFlag(server());
    const appName = await givenApplication(server(), {
      sdkVersion: 'unleash-client-node:6.1.0',
      strategies: ['default', 'of-our-own'],
      flags: [featureName, 'mistyped'],
    });
    const window = await open(server(), { at: '/applications' });
    const { page } = window;
    await page.getByLabel('Search applications').fill('nothing like it');
    await page.getByText('No applications match').waitFor();
    await page.getByLabel('Search applications').fill(appName);
    await page.getByRole('link', { name: appName }).click();
    await page.getByRole('heading', { name: appName, level: 1 }).waitFor();
    await page.getByText('of-our-own').waitFor();
    await page.getByText('mistyped').waitFor();
    await settled(window);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Applications' }).last().click();
    await page.getByRole('link', { name: 'Unknown flags' }).click();
    await page
      .getByRole('row', { name: /mistyped/ })
      .getByRole('link', { name: appName })
      .waitFor();

    await page.goto(`/projects/default/features/${featureName}/metrics`);
    const applications = page.getByRole('region', { name: 'Applications' });
    await applications.getByRole('row', { name: new RegExp(`${appName} 1 0 100 %`) }).waitFor();
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await page.getByRole('region', { name: 'By day' }).waitFor();
    expect(new URL(page.url()).search).toContain('hours=168');
    await settled(window);
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });
});
