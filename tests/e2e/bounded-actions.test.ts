import { describe, expect, it } from 'vitest';
import { givenActionPlace, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '../../apps/server/testing/alerts.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { endOverride, override } from '../../apps/server/testing/stops.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('the bounds of actions', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const open = useBrowser();

  it('the form says which signals of the last day its filters match, also when new ones arrive', async () => {
    const place = await givenActionPlace(server());
    const allow = { flags: ['*'], tags: [], environments: [] };
    const set = await givenSet(server(), { name: 'Matches all', allow }, place);
    for (const status of ['firing', 'resolved']) await signal(server(), set, { status });
    const window = await open(server(), {
      at: `/projects/${set.projectId}/settings/actions?edit=${set.id}`,
      width: 380,
    });
    const { page } = window;
    const form = page.getByRole('dialog', { name: 'Edit action' });
    const matches = form.getByRole('status', { name: 'Matches of the last day' });
    await matches.getByText('Matches all of the 2 signals received in the last day.').waitFor();
    await matches
      .getByRole('link', { name: /^signal \d+$/ })
      .first()
      .waitFor();
    await signal(server(), set, { status: 'firing' });
    await matches.getByText('Matches all of the 3 signals').waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Add filter' }).click();
    await form.getByRole('combobox', { name: 'Parameter' }).fill('status');
    await page.keyboard.press('Escape');
    await form.getByRole('combobox', { name: 'Values' }).fill('firing');
    await page.keyboard.press('Enter');
    await matches.getByText('Matches 2 of 3 signals received in the last day.').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(window.complaints()).toEqual([]);
  });

  it('Now asks whether to hold a flag when its override has ended and the alert still fires', async () => {
    const place = await givenAlertPlace(server());
    const match = { payload: { 'item.status': is('firing') } };
    const set = await givenSet(server(), holdingAlerts(place, { match, set: { name: 'Guard' } }), place);
    await signal(server(), set, {
      alerts: [{ status: 'firing', fingerprint: 'a', labels: { alertname: 'CheckoutDown' } }],
    });
    await server().app.service.alerts.settled();
    await override(server(), place.flag, { holds: 'release' });
    const { page, complaints } = await open(server(), { at: '/personal', width: 380 });
    await page.getByRole('region', { name: 'Automation overridden' }).waitFor();
    await endOverride(server(), place.flag);
    const waits = page.getByRole('region', { name: 'Waits for you' });
    await waits.getByText('The override has ended while the alert fires.').waitFor();
    await waits.getByText('“CheckoutDown”').waitFor();
    await expectAccessible(page);
    await waits.getByRole('button', { name: 'Hold now: CheckoutDown' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('It is still down');
    await dialog.getByRole('button', { name: 'Hold now' }).click();
    await page.getByText(place.flag.featureName).first().waitFor();
    const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
    await expect.poll(async () => (await server().admin.call(list, { params: place.flag })).json.leases.length).toBe(1);
    expect(complaints()).toEqual([]);
  });
});
