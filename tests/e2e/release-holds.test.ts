import { describe, expect, it } from 'vitest';
import { givenFailedCall, givenRunHold, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '../../apps/server/testing/alerts.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

describe('the dialog that releases all holds', () => {
  const server = useServer({ signalEndpointsLimit: 100 });
  const open = useBrowser();

  it('counts only holds that were not released, and says apart where automation was not kept off', async () => {
    const flags = [await givenRunHold(server()), await givenRunHold(server())];
    const window = await open(server(), { width: 380 });
    const { page } = window;
    await page.route('**/automation-override', (route) => route.abort());
    await logIn(window);
    await page.getByRole('button', { name: 'Release all 2 holds' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Release 2 holds' }).click();
    const error = dialog.getByRole('alert');
    await error.waitFor();
    expect(await error.textContent()).toMatch(
      /^The holds were released\. Automation was not kept off: 2 flags \(flag-[^)]+\): The server cannot be reached\. Try again in a moment\.$/,
    );
    expect((await server().admin.call('GET /api/admin/leases')).json.leases).toEqual([]);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.unroute('**/automation-override');
    await dialog.getByRole('button', { name: 'Release 2 holds' }).click();
    await dialog.waitFor({ state: 'detached' });
    const overridden = page.getByRole('region', { name: 'Automation overridden' });
    for (const { featureName } of flags)
      await overridden.getByRole('button', { name: `End override of ${featureName}` }).waitFor();
  });

  it('says once that the server cannot be reached, with the number of holds', async () => {
    for (let count = 0; count < 5; count++) await givenRunHold(server());
    const { page } = await open(server(), { at: '/', width: 380 });
    await page.getByRole('button', { name: 'Release all 5 holds' }).click();
    const dialog = page.getByRole('dialog');
    await page.route('**/api/admin/projects/**', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Release 5 holds' }).click();
    const error = dialog.getByRole('alert');
    await error.waitFor();
    expect(await error.textContent()).toMatch(
      /^5 of 5 could not be released\. 5 holds \((flag-\d+ in development(, | and )){3}2 more\): The server cannot be reached\. Try again in a moment\. Automation was not kept off 5 flags, for the same reason\.$/,
    );
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.unroute('**/api/admin/projects/**');
    await dialog.getByRole('button', { name: 'Release 5 holds' }).click();
    await page.getByText(/^5 holds released\. Automation leaves 5 flags alone until \d\d:\d\d\.$/).waitFor();
  });

  it('keeps its buttons in view on a phone however many flags are held, and names each effect once', async () => {
    for (let count = 0; count < 12; count++) await givenRunHold(server());
    const { page } = await open(server(), { at: '/', width: 380 });
    await page.getByRole('button', { name: /^Release all 1\d holds$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/held off, then on/)
      .first()
      .waitFor();
    const confirm = await dialog.getByRole('button', { name: /^Release 1\d holds$/ }).boundingBox();
    expect((confirm?.y ?? 800) + (confirm?.height ?? 0)).toBeLessThanOrEqual(800);
    await expectAccessible(page);
  });
});

describe('Now in a storm', () => {
  const server = useServer({ signalEndpointsLimit: 100 });
  const open = useBrowser();

  it('begins with the number of lines in each section, which lead there', async () => {
    for (let count = 0; count < 6; count++) await givenRunHold(server());
    await givenFailedCall(server());
    const { page } = await open(server(), { at: '/', width: 380 });
    const summary = page.getByRole('list', { name: 'Summary' });
    await summary.getByRole('button', { name: '6 flags held' }).waitFor();
    await expectAccessible(page);
    await summary.getByRole('button', { name: '1 needs attention' }).click();
    const trouble = page.getByRole('heading', { name: 'Needs attention' });
    await expect.poll(async () => (await trouble.boundingBox())?.y).toBeLessThan(300);
    // The heading is not hidden below the bar at the top, which is 56 px high.
    expect((await trouble.boundingBox())?.y).toBeGreaterThan(56);
  });
});

describe('the page of a flag', () => {
  const server = useServer();
  const open = useBrowser();

  it('names the action whose run holds it', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { set: { name: 'Protect the checkout' } }), place);
    await signal(server(), place, { alerts: [{ status: 'firing', fingerprint: 'a' }] });
    const { page } = await open(server(), {
      at: `/projects/${place.projectId}/features/${place.flag.featureName}`,
      width: 380,
    });
    await page
      .getByText(/by Protect the checkout, run \d+\. SDKs get/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: /^run \d+$/ }).click();
    await page.getByRole('heading', { name: /^Run \d+$/, level: 1 }).waitFor();
  });

  it('says at once that automation no longer holds it', async () => {
    const flag = await givenRunHold(server());
    const window = await open(server(), { at: `/projects/${flag.projectId}/features/${flag.featureName}` });
    const held = window.page.getByText(/SDKs get the held state/).first();
    await held.waitFor();
    const [hold] = (await server().admin.call('GET /api/admin/leases')).json.leases;
    const params = { ...flag, leaseId: String(hold.id) };
    await server().admin.call(
      'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId',
      { params },
    );
    await held.waitFor({ state: 'detached' });
  });
});
