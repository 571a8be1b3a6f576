import { startUnleash } from 'unleash-client';
import { afterEach, describe, expect, it } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, settled, useBrowser } from './browser.ts';

// Each width has a server of its own: a connected application would be shown for the flags of the other test too.
describe.each([1280, 380])('connecting an application at %i px', (width) => {
  const server = useServer();
  const open = useBrowser();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it('leads from a flag to its first request', async () => {
    const { projectId, featureName } = await givenEnabled(server());
    const window = await open(server(), { at: `/projects/${projectId}/features/${featureName}`, width });
    const { page } = window;
    await page.getByText('No application has evaluated this flag yet.').waitFor();
    await page.getByRole('link', { name: 'Connect your application' }).click();
    await page.getByRole('heading', { name: 'Connect your application', level: 1 }).waitFor();
    const status = page.getByRole('status', { name: 'Connection' });
    await status.getByText('Waiting for your first request in development…').waitFor();
    await page.getByRole('button', { name: 'Create backend token' }).click();
    await page.getByText('its secret cannot be shown again').waitFor();
    await settled(window);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);

    const code = await page.getByRole('region', { name: 'Code' }).locator('pre').innerText();
    expect(code).toContain(`url: '${server().url}/api'`);
    const token = /Authorization: '(.*?)'/.exec(code)?.[1] ?? '';
    expect(token).toMatch(new RegExp(`^${projectId}:development\\.`));
    const unleash = await startUnleash({
      url: `${server().url}/api`,
      appName: `shop-${width}`,
      customHeaders: { authorization: token },
      metricsInterval: 100,
      storageProvider: { get: async () => undefined, set: async () => undefined },
    });
    closing.push(() => unleash.destroy());
    await status.getByText(`shop-${width} (unleash-node-sdk 6.12.1) reports in development, last`).waitFor();
    await status.getByText('It has not evaluated any existing flag yet').waitFor();
    expect(unleash.isEnabled(featureName)).toBe(true);
    await status.getByText(`evaluated ${featureName}`).waitFor();
    await expectAccessible(page);

    await page.getByText('React', { exact: true }).click();
    await page.getByRole('button', { name: 'Create frontend token' }).waitFor();
    await page.getByText('INSERT_API_TOKEN').waitFor();
    await page.getByText('Android (Kotlin)', { exact: true }).click();
    await page.getByText('Yardarm’s tests do not run it.').waitFor();
    await page.getByRole('link', { name: featureName }).first().click();
    await page.getByRole('region', { name: 'Applications' }).getByText('unleash-node-sdk 6.12.1').waitFor();
    expect(window.complaints()).toEqual([]);
  });
});

describe('connecting an application without permissions', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows the code and the connection, and offers no token', async () => {
    const { projectId, featureName } = await givenEnabled(server());
    const window = await open(server());
    const { page } = window;
    await logIn(
      window,
      `/projects/${projectId}/features/${featureName}/connect?language=curl`,
      await givenUser(server(), 'Viewer'),
    );
    await page.getByText('Waiting for your first request').waitFor();
    await page.getByText(`/ofrep/v1/evaluate/flags/${featureName}`).waitFor();
    expect(await page.getByRole('button', { name: 'Create backend token' }).count()).toBe(0);
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });
});
