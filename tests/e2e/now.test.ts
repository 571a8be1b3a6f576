import { describe, expect, it } from 'vitest';
import {
  calling,
  givenActionPlace,
  givenRunHold,
  givenSet,
  runsOf,
  signal,
} from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '../../apps/server/testing/alerts.ts';
import { givenSent } from '../../apps/server/testing/change-requests.ts';
import { onEvents } from '../../apps/server/testing/database.ts';
import { givenFlagIn, givenProject } from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { probeLoop } from '../../apps/server/testing/loop-probe.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenPlan, rolloutTo } from '../../apps/server/testing/release-plans.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

describe('the page Now', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const open = useBrowser();

  it('is the first page, and releases all holds of a flag with two taps on a phone', async () => {
    const flag = await givenFlagIn(server(), 'development');
    await givenHold(server(), flag, { effect: 'off', reason: 'Error rate of the checkout', key: 'alert' });
    await givenHold(server(), flag, { effect: 'rollout', rollout: 20, key: 'rollout' });
    const { page } = await open(server(), { at: '/', width: 390 });
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    await page.getByText('Error rate of the checkout').waitFor();
    await page.getByText('When all are released: off, as configured').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Show 2 holds of ${flag.featureName} in development` }).click();
    await page.getByText('When released: still held at 20 %').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.getByRole('button', { name: `Release all 2 ${flag.featureName}` }).click();
    await page.getByText('then off, as configured').waitFor();
    await page.getByRole('button', { name: 'Release 2 holds' }).click();
    await page.getByText('Nothing is held').waitFor();
  });

  it('tells on every other page that flags are held, live, and links to Now', async () => {
    const window = await open(server(), { at: '/projects' });
    const { page } = window;
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await settled(window);
    expect(await page.getByRole('link', { name: 'View and release' }).count()).toBe(0);
    const flag = await givenFlagIn(server(), 'development');
    await givenHold(server(), flag, { effect: 'on' });
    await page.getByText(`1 hold: ${flag.featureName} is held on in development`).waitFor();
    await page.getByRole('link', { name: 'View and release' }).click();
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
  });

  it('shows runs that failed, and the signals and changes of the last hour', async () => {
    const place = await givenActionPlace(server());
    const actions = [calling(place, 'https://8.8.8.8/{{missing}}')];
    await givenSet(server(), { name: 'Roll back', actions }, place);
    await signal(server(), place);
    const { page } = await open(server(), { at: '/' });
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'Roll back' }).waitFor();
    const lastHour = page.getByRole('region', { name: 'Last hour' });
    await lastHour.getByText(`signal of ${place.endpoint.name}`).waitFor();
    await expectAccessible(page);
  });

  it.each([390, 1280])('shows the release plans, first the one that is halted, at %d px', async (width) => {
    const [running, waiting, held] = [
      await givenPlan(server()),
      await givenPlan(server(), [rolloutTo(10), rolloutTo(50)]),
      await givenPlan(server()),
    ];
    await givenHold(server(), held.params);
    const { page } = await open(server(), { at: '/', width });
    const plans = page.getByRole('region', { name: 'Release plans' });
    await plans.getByText('Halted by a hold').first().waitFor();
    // The number is not checked, as plans of other tests may be stopped as well.
    await page
      .getByRole('list', { name: 'Summary' })
      .getByRole('button', { name: /release plans halted or paused$/ })
      .waitFor();
    const names = (await plans.getByRole('link').allTextContents()).filter((name) =>
      [held, waiting, running].some(({ params }) => params.featureName === name),
    );
    expect(names).toEqual([held, waiting, running].map(({ params }) => params.featureName));
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await plans.getByRole('link', { name: held.params.featureName }).click();
    await page.getByText(/^Halted: the flag is held/).waitFor();
  });

  it.each([390, 1280])('lets a person hold, or drop, what waits since a freeze, at %d px', async (width) => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), { ...holdingAlerts(place), name: 'Checkout' }, place);
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await freeze(true);
    const alert = (fingerprint: string) => ({ status: 'firing', fingerprint, labels: { alertname: fingerprint } });
    await signal(server(), place, { status: 'firing', alerts: [alert('HighLatency'), alert('DiskFull')] });
    await freeze(false);
    const { page } = await open(server(), { at: '/', width });
    const waits = page.getByRole('region', { name: 'Waits for you' });
    await waits.getByText('The alert “HighLatency” fires since').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await waits.getByRole('button', { name: 'Drop: DiskFull' }).click();
    await page.getByRole('textbox', { name: 'Why' }).fill('Cleaned up');
    await page.getByRole('button', { name: 'Drop', exact: true }).click();
    await page.getByText('Hold dropped').waitFor();
    await waits.getByRole('button', { name: 'Hold now: HighLatency' }).click();
    await page.getByRole('textbox', { name: 'Why' }).fill('Still slow');
    await page.getByRole('button', { name: 'Hold now', exact: true }).click();
    await page.getByText('Held off').first().waitFor();
    await waits.waitFor({ state: 'detached' });
  });

  it('shows on the page of a run that waits what another person decides meanwhile', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), { ...holdingAlerts(place), name: 'Checkout' }, place);
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await freeze(true);
    const alert = { status: 'firing', fingerprint: 'a', labels: { alertname: 'SlowCheckout' } };
    await signal(server(), place, { status: 'firing', alerts: [alert] });
    await freeze(false);
    const [run] = await runsOf(server(), set);
    const { page, complaints } = await open(server(), { at: `/runs/${run.id}` });
    await page.getByText('Waiting', { exact: true }).waitFor();
    const dropped = await server().admin.call(
      'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/drop',
      {
        params: { projectId: set.projectId, actionSetId: set.id, runId: run.id },
        body: { reason: 'Known' },
      },
    );
    expect([dropped.status, dropped.json.state]).toEqual([200, 'skipped']);
    await page.getByText('Skipped', { exact: true }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('says in an open dialog that a hold that waits was placed meanwhile, and why nothing can be held in a freeze', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), { ...holdingAlerts(place), name: 'Checkout' }, place);
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    const alert = { status: 'firing', fingerprint: 'a', labels: { alertname: 'SlowCheckout' } };
    await freeze(true);
    await signal(server(), place, { status: 'firing', alerts: [alert] });
    const { page } = await open(server(), { at: '/', width: 390 });
    const waits = page.getByRole('region', { name: 'Waits for you' });
    const holdNow = waits.getByRole('button', { name: 'Hold now: SlowCheckout' });
    await waits.getByText('Automation is frozen: until that has ended, hold a flag on its own page.').waitFor();
    expect(await holdNow.isDisabled()).toBe(true);
    await page.getByRole('list', { name: 'Summary' }).getByRole('button', { name: '1 run waits for you' }).waitFor();
    await expectAccessible(page);
    await freeze(false);
    await waits.getByText('When an alert is reported again, its action holds the flags by itself.').waitFor();
    await holdNow.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Why' }).fill('Still slow');
    await signal(server(), place, { status: 'firing', alerts: [alert] });
    await waits.waitFor({ state: 'detached' });
    await dialog.getByText('This has been decided meanwhile').waitFor();
    await dialog.getByText('The alert was reported again while this run waited').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows an endpoint that expects signals and gets none', async () => {
    const endpoint = await givenEndpoint(server());
    const { page } = await open(server(), { at: `/integrations/signals?edit=${endpoint.id}` });
    await page.getByRole('button', { name: 'Fields, dropped and hashed values, times' }).click();
    await page.getByLabel('Expects a signal every … minutes').fill('5');
    await page.getByRole('button', { name: 'Save signal endpoint' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    server().clock.advance(6 * 60_000);
    await server().app.service.jobs.runDue();
    await page.goto('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('One is expected every 5 minutes').waitFor();
    await expectAccessible(page);
    await attention.getByRole('link', { name: endpoint.name }).click();
    await page.getByText('Silent since').waitFor();
  });

  it('is not the only place: a flag is held on its page, and looks held in its project', async () => {
    const flag = await givenFlagIn(server(), 'development', await givenProject(server()));
    await givenHold(server(), flag, { effect: 'on', key: 'experiment' });
    const { page } = await open(server(), { at: `/projects/${flag.projectId}/features/${flag.featureName}` });
    const card = page.getByRole('region', { name: 'development', exact: true });
    await card.getByRole('button', { name: 'Hold', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await dialog.getByText('Enter a reason. Others see it in the event log.').waitFor();
    await dialog.getByLabel('Why').fill('Errors of the checkout');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await card.getByText('held off by').waitFor();
    await card.getByText('1 more hold, not in force').waitFor();
    await expectAccessible(page);
    await page.goto(`/projects/${flag.projectId}/features/${flag.featureName}/metrics`);
    const explained = page.getByRole('region', { name: 'Held in development' });
    await explained.getByText('In development: configured off, held off by').waitFor();
    await explained.getByText('Evaluations since then count the held state.').waitFor();
    await expectAccessible(page);
    await page.goto(`/projects/${flag.projectId}`);
    await page.getByText('1 flag of this project is held').waitFor();
    await page.getByRole('link', { name: 'Show held flags' }).click();
    await page.getByRole('link', { name: 'Show held flags' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: flag.featureName, exact: true }).waitFor();
    await page.goto(`/projects/${flag.projectId}`);
    await page.getByRole('img', { name: 'held' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Holds' }).click();
    await page.getByRole('option', { name: 'Held' }).click();
    await page.getByRole('link', { name: flag.featureName, exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('lets a person with the role On call release what actions hold, with three taps on a phone', async () => {
    const flag = await givenRunHold(server());
    const viewer = await givenUser(server(), 'On call');
    const { page } = await open(server(), { at: '/', as: viewer, width: 390 });
    await page.getByRole('button', { name: `Release ${flag.featureName}` }).click();
    await page.getByRole('button', { name: 'Release hold' }).click();
    await page.getByText(/^Hold released\. Automation leaves the flag alone until \d\d:\d\d\.$/).waitFor();
    const overridden = page.getByRole('region', { name: 'Automation overridden' });
    await overridden.getByText('Released by hand').waitFor();
    expect(await page.getByRole('button', { name: 'Freeze all automation' }).count()).toBe(1);
    await page.goto(`/projects/${flag.projectId}/features/${flag.featureName}`);
    await page.getByText('Automation is overridden').waitFor();
    expect(await page.getByRole('switch', { name: /development/ }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  it('offers to override automation to the person who switches a flag that it holds in the other state', async () => {
    const flag = await givenRunHold(server());
    const { page } = await open(server(), { at: `/projects/${flag.projectId}/features/${flag.featureName}` });
    const control = page.getByRole('switch', { name: `${flag.featureName} in development` });
    const dialog = page.getByRole('dialog', { name: `Override automation of ${flag.featureName} in development` });
    await control.press(' ');
    await page.getByText(`${flag.featureName} is configured off in development.`).waitFor();
    expect(await dialog.count()).toBe(0);
    await control.press(' ');
    await dialog.getByText('is configured on now, and is still held off by').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Why').fill('The alert is wrong');
    await dialog.getByRole('button', { name: 'Override', exact: true }).click();
    await page.getByText('Automation is overridden').waitFor();
    await page.getByText('Configured on, held off by').waitFor({ state: 'detached' });
  });

  it('keeps automation off a flag after a release, so that the next signal does not hold it again', async () => {
    const flag = await givenRunHold(server());
    const { page } = await open(server(), { at: '/' });
    await page.getByRole('button', { name: `Release ${flag.featureName}` }).click();
    await page.getByText('then on, as configured').waitFor();
    await page.getByRole('combobox', { name: 'Then keep automation off' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Release hold' }).click();
    const overridden = page.getByRole('region', { name: 'Automation overridden' });
    // The list also has the flag of an earlier test.
    const own = overridden.getByRole('button', { name: `End override of ${flag.featureName}` });
    await own.locator('xpath=..').getByText('Released by hand').waitFor();
    await expectAccessible(page);
    await page.goto(`/projects/${flag.projectId}/features/${flag.featureName}`);
    await page.getByText('Automation is overridden').waitFor();
    const card = page.getByRole('region', { name: 'development', exact: true });
    await card.getByRole('button', { name: 'Override automation' }).click();
    await page.getByRole('dialog').getByLabel('Why').fill('Longer than an hour');
    await page.getByRole('dialog').getByRole('button', { name: 'Override', exact: true }).click();
    await card.getByText('Longer than an hour').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: `End override of ${flag.featureName}` }).click();
    await page.getByText('Automation is overridden').waitFor({ state: 'detached' });
  });

  it('leaves the longer override of another person as it is when it releases a hold', async () => {
    const flag = await givenRunHold(server());
    const longer = { reason: 'Migration, do not touch', endsAt: null };
    await server().admin.call(
      'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override',
      { params: flag, body: { ...longer, holds: 'keep' } },
    );
    const { page } = await open(server(), { at: '/' });
    await page.getByRole('button', { name: `Release ${flag.featureName}` }).click();
    await page.getByRole('button', { name: 'Release hold' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { overrides } = (await server().admin.call('GET /api/admin/automation-overrides')).json;
    const own = overrides.filter(({ featureName }: { featureName: string }) => featureName === flag.featureName);
    expect(own).toMatchObject([longer]);
  });

  it.each([380, 1280])('ends all overrides after a dialog that lists them, at %d px', async (width) => {
    const flags = [await givenRunHold(server()), await givenRunHold(server())];
    const override =
      'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
    for (const params of flags)
      await server().admin.call(override, { params, body: { reason: 'False alarm', endsAt: null, holds: 'release' } });
    const { page } = await open(server(), { at: '/', width });
    await page.getByRole('button', { name: /^End all \d+ overrides$/ }).click();
    const dialog = page.getByRole('dialog');
    for (const { featureName } of flags)
      await dialog
        .getByText(`${featureName} in development: overridden by admin until it is ended. False alarm`)
        .waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await dialog.getByRole('button', { name: /^End \d+ overrides$/ }).click();
    await page.getByRole('region', { name: 'Automation overridden' }).waitFor({ state: 'detached' });
    expect((await server().admin.call('GET /api/admin/automation-overrides')).json.overrides).toEqual([]);
  });
});

describe('a list of Now that is cut', () => {
  const server = useServer();
  const open = useBrowser();

  it('is counted as at least its length', async () => {
    for (let n = 0; n < 26; n++) await givenSent(server());
    const { page, complaints } = await open(server(), { at: '/' });
    const summary = page.getByRole('list', { name: 'Summary' });
    await summary.getByRole('button', { name: 'at least 25 change requests wait for you' }).waitFor();
    const requests = page.getByRole('region', { name: 'Change requests' });
    await requests.getByText('At most 25 of a kind are listed.').waitFor();
    // A page that the list no longer has leads to its last page.
    await page.goto('/change-requests?show=waiting&page=3');
    await page.getByRole('row').nth(26).waitFor();
    expect(complaints()).toEqual([]);
  });
});

describe('the loop from a signal to a stream', () => {
  const server = useServer();
  const open = useBrowser();

  it.each([380, 1280])('has its last latency on Now, or the step at which it stopped, at %d px', async (width) => {
    await probeLoop(server());
    const { page } = await open(server(), { at: '/', width });
    const passed = page.getByText(/^The loop from a signal to a stream took \d+ ms, (just now|.* ago)\.$/);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await passed.waitFor();
    await expectAccessible(page);
    expect(await attention.count()).toBe(0);
    const broken = { feed: true };
    server().app.database.feed.subscribe(
      onEvents(() => {
        if (broken.feed) throw new Error('the cache cannot be read');
      }),
    );
    await givenFlagIn(server(), 'development');
    await probeLoop(server());
    await page.reload();
    await attention.getByText(/has not come through since \d{4}-.* \(.*\): stopped at stream\.$/).waitFor();
    expect(await passed.count()).toBe(0);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    broken.feed = false;
    await probeLoop(server());
    await page.reload();
    await passed.waitFor();
    expect(await attention.count()).toBe(0);
  });
});
