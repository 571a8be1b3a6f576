import { setTimeout as wait } from 'node:timers/promises';
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenRunHold, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, send } from '../../apps/server/testing/signals.ts';
import { useBrowser } from './browser.ts';

/** How long an idle page is watched, in which it must not send a request. The variable IDLE_SECONDS makes it longer. */
const idleMs = Number(process.env['IDLE_SECONDS'] ?? 3) * 1000;

describe('live pages', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const open = useBrowser();

  it('send no requests while nothing happens', async () => {
    const endpoint = await givenEndpoint(server());
    const set = await givenSet(server());
    await signal(server(), set);
    const window = await open(server(), { at: '/' });
    for (const path of [
      '/',
      `/integrations/signals?view=${endpoint.id}`,
      '/integrations',
      `/projects/${set.projectId}/settings/actions?runsOf=${set.id}`,
      '/history',
    ]) {
      await window.page.goto(path);
      await expect.poll(() => window.waiting(), { timeout: 10_000 }).toBe(0);
      const sent: string[] = [];
      const count = (request: Request) => {
        if (request.url().includes('/api/')) sent.push(request.url());
      };
      window.page.on('request', count);
      // When its stream begins, a page loads live lists once more. Waits until a second passes without a request.
      const sentNothing = async () => {
        sent.length = 0;
        await wait(1000);
        return sent.length === 0;
      };
      await expect.poll(sentNothing, { timeout: 15_000 }).toBe(true);
      await wait(idleMs);
      window.page.off('request', count);
      expect(sent, path).toEqual([]);
    }
  }, 600_000);

  it('show that another user has frozen automation, and has resumed it', async () => {
    const window = await open(server(), { at: '/projects' });
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await window.page.getByRole('heading', { name: 'Projects' }).waitFor();
    await freeze(true);
    await window.page.getByText('All automation is frozen').waitFor({ timeout: 5000 });
    await freeze(false);
    await window.page.getByText('All automation is frozen').waitFor({ state: 'detached', timeout: 5000 });
  });

  it('show what is new while signals arrive faster than the server answers', async () => {
    const endpoint = await givenEndpoint(server());
    const { page } = await open(server(), { at: '/' });
    await page.getByRole('region', { name: 'Held flags' }).waitFor();
    await page.route('**/api/admin/now', async (route) => {
      await wait(700);
      await route.continue();
    });
    const { featureName } = await givenRunHold(server());
    let arriving = true;
    const storm = (async () => {
      while (arriving) {
        await send(server(), endpoint, '{}');
        await wait(150);
      }
    })();
    try {
      await page.getByRole('region', { name: 'Held flags' }).getByText(featureName).first().waitFor({ timeout: 8000 });
    } finally {
      arriving = false;
      await storm;
      await page.unroute('**/api/admin/now');
    }
  });

  it('show an override that another user places on the flag, and that it ended', async () => {
    const flag = await givenRunHold(server());
    const window = await open(server(), { at: `/projects/${flag.projectId}/features/${flag.featureName}` });
    await window.page
      .getByText(/SDKs get the held state/)
      .first()
      .waitFor();
    const route = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
    const body = { reason: 'The alert is wrong', endsAt: null, holds: 'keep' } as const;
    await server().admin.call(`PUT ${route}`, { params: flag, body });
    const overridden = window.page.getByText('The alert is wrong').first();
    await overridden.waitFor({ timeout: 5000 });
    await server().admin.call(`DELETE ${route}`, { params: flag });
    await overridden.waitFor({ state: 'detached', timeout: 5000 });
  });

  it('show the new runs of an action set', async () => {
    const set = await givenSet(server());
    const window = await open(server(), { at: `/projects/${set.projectId}/settings/actions?runsOf=${set.id}` });
    await window.page.getByText('No runs').first().waitFor();
    await signal(server(), set);
    await window.page.getByText('No runs').first().waitFor({ state: 'detached', timeout: 5000 });
  });

  it('show the new signals of an endpoint', async () => {
    const endpoint = await givenEndpoint(server());
    const window = await open(server(), { at: `/integrations/signals?view=${endpoint.id}` });
    await window.page.getByText('No signals yet').waitFor();
    await send(server(), endpoint, '{}');
    await window.page.getByText('No signals yet').waitFor({ state: 'detached', timeout: 5000 });
  });
});
