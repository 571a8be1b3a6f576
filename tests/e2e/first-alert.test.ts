import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

/** Returns whether a command of the page succeeds in a terminal. */
async function succeeds(command = ''): Promise<boolean> {
  const run = promisify(execFile)('bash', ['-c', `${command} --fail --silent`]);
  return run.then(
    () => true,
    () => false,
  );
}

describe('the first alert', () => {
  const server = useServer();
  const open = useBrowser();

  it.each([
    [1280, 'Prometheus Alertmanager', 'Instance 127.0.0.1:1 down'],
    [380, 'Grafana', 'p99 above 2s for 5m'],
  ] as const)(
    'holds a flag and gives it back without leaving the page, at %i px with %s',
    async (width, sender, reason) => {
      const { projectId, featureName } = await givenEnabled(server());
      const window = await open(server(), { at: `/projects/${projectId}/features/${featureName}`, width });
      const { page } = window;
      await page.getByRole('link', { name: 'Let an alert switch it' }).click();
      await page.getByRole('heading', { name: 'Let an alert switch a flag', level: 1 }).waitFor();
      await page.getByRole('combobox', { name: 'Sender' }).click();
      await page.getByRole('option', { name: sender }).click();
      await settled(window);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create endpoint' }).click();

      await page.getByRole('button', { name: 'Send a test signal' }).click();
      const sent = page.getByRole('status', { name: 'Sent signal' });
      await sent.getByText(/Stored. Recognised: .*, firing/).waitFor();
      expect(await page.getByRole('combobox', { name: 'Feature flag' }).inputValue()).toBe(featureName);
      await settled(window);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Make an action from this signal' }).click();

      const watch = page.getByRole('region', { name: '4. Watch the flag' });
      await watch.getByText('The flag is in its own state').waitFor();
      await watch.getByRole('button', { name: 'Send the alert' }).click();
      await watch.getByText('The alert holds the flag').waitFor();
      await watch.getByText(reason).waitFor();
      await settled(window);
      await expectAccessible(page);
      const held = async () => (await server().admin.call('GET /api/admin/leases')).json.leases;
      expect(await held()).toMatchObject([{ featureName, effect: 'off', reason }]);
      await watch.getByRole('button', { name: 'Send “resolved”' }).click();
      await watch.getByText('The flag is back').waitFor();
      expect(await held()).toEqual([]);
      // A second alert is stored as a new alert, not as a late delivery of the first.
      await watch.getByRole('button', { name: 'Send the alert' }).click();
      await watch.getByText('The alert holds the flag').waitFor();
      await watch.getByRole('button', { name: 'Send “resolved”' }).click();
      await watch.getByText('The flag is back').waitFor();
      await watch.getByRole('button', { name: 'Send it with curl' }).click();
      const [fires, ends] = await watch.locator('pre').allInnerTexts();
      // The server takes one signal a second from a token.
      await expect.poll(() => succeeds(fires)).toBe(true);
      await watch.getByText('The alert holds the flag').waitFor();
      await expect.poll(() => succeeds(ends)).toBe(true);
      await watch.getByText('The flag is back').waitFor();
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);

      const { json } = await server().admin.call('GET /api/admin/signal-endpoints');
      const id = Math.max(...json.signalEndpoints.map((endpoint: { id: number }) => endpoint.id));
      // The page leads through a second time, for the same flag and sender.
      await page.goto(`/first-alert?project=${projectId}&flag=${featureName}&endpoint=${id}`);
      await page.getByRole('button', { name: 'Send a test signal' }).click();
      await page.getByRole('button', { name: 'Make an action from this signal' }).click();
      await watch.getByText('The alert holds the flag').waitFor();
      await watch.getByRole('button', { name: 'Send “resolved”' }).click();
      await watch.getByText('The flag is back').waitFor();

      const route = 'GET /api/admin/signal-endpoints/:signalEndpointId/signals';
      const { signalEndpointSignals } = (await server().admin.call(route, { params: { signalEndpointId: id } })).json;
      expect(signalEndpointSignals.map(({ tokenName }: { tokenName: string }) => tokenName)).toEqual([
        'Test signals 2',
        'Test signals 2',
        ...Array.from({ length: 7 }, () => 'Test signals'),
      ]);
      expect(window.complaints()).toEqual([]);
    },
  );
});
