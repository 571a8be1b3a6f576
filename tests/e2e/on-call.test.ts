import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenGroup } from '../../apps/server/testing/access.ts';
import { type ActionPlace, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '../../apps/server/testing/alerts.ts';
import { givenFlagIn } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const server = useServer({ signalEndpointsLimit: 1000 });
const open = useBrowser();
/** The template of the reason of a hold: the summary of its alert. */
const reason = '{{item.annotations.summary}}';
const graph = 'https://prometheus.example.com/graph?g0.expr=up';
/** The folder for screenshots; none are taken without it. */
const shots = process.env.ON_CALL_SHOTS;

const alertOf = (place: ActionPlace, status: string, name: string, fingerprint = name) =>
  signal(server(), place, {
    status,
    groupLabels: { alertname: name },
    alerts: [
      {
        status,
        fingerprint,
        startsAt: new Date(server().clock.now()).toISOString(),
        labels: { alertname: name },
        annotations: { summary: `${name}: error rate 12 %` },
        generatorURL: graph,
      },
    ],
  });

/** Logs in a user with the root roles Editor and On call. Returns the window and a counter of taps. */
async function wake(width = 390) {
  const person = await givenUser(server(), 'Editor');
  const { json } = await server().admin.call('GET /api/admin/roles');
  const onCall = json.roles.find(({ name }: { name: string }) => name === 'On call');
  await givenGroup(server(), [person.id], { rootRole: onCall.id });
  const window = await open(server(), { at: '/', as: person, width });
  const { page } = window;
  let taps = 0;
  return {
    page,
    window,
    taps: () => taps,
    /** Goes from the page Now to the newest incident with this title. */
    openIncident: async (title: RegExp) => {
      await page.getByRole('link', { name: 'What automation did' }).click();
      await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
      await page.getByRole('link', { name: title }).first().click();
      await page.getByRole('region', { name: 'Timeline' }).waitFor();
    },
    tap: async (place: Locator) => {
      taps++;
      await place.click();
    },
    shoot: async (name: string) => {
      if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true });
    },
  };
}

async function givenHolding(name: string, more: object = {}) {
  const place = await givenAlertPlace(server());
  await givenSet(server(), holdingAlerts(place, { params: { reason }, set: { name, ...more } }), place);
  return place;
}

/** Creates a set that holds several flags for each alert. */
async function givenStorm(flags: number) {
  const place = await givenAlertPlace(server());
  const { projectId } = place;
  const all = [place.flag];
  while (all.length < flags) all.push(await givenFlagIn(server(), 'development', projectId));
  const body = holdingAlerts(place, { params: { reason } });
  const actions = all.map((flag, index) => ({
    ...body.actions[0],
    sortOrder: index + 1,
    executionParams: { ...body.actions[0]?.executionParams, featureName: flag.featureName },
  }));
  await givenSet(server(), { ...body, name: 'Shed load', actions }, place);
  return { place, flags: all };
}

describe.each([390, 1280])('a person on call who is woken, on a page of %i px', (width) => {
  it('releases the flag that an alert holds with two taps, and reads what happened', async () => {
    const place = await givenHolding('Protect the checkout');
    await alertOf(place, 'firing', 'HighErrorRate');
    const { page, tap, taps, openIncident, shoot, window } = await wake(width);
    const held = page.getByRole('region', { name: 'Held flags' });
    await held.getByText('Held off').waitFor();
    await held.getByText('HighErrorRate').first().waitFor();
    await held.getByText(/\(Protect the checkout, run \d+\)/).waitFor();
    await held.getByRole('link', { name: /^run \d+$/ }).waitFor();
    await shoot('one-alert-now');
    await tap(page.getByRole('button', { name: `Release ${place.flag.featureName}` }));
    await page.getByText('then on, as configured').waitFor();
    await shoot('one-alert-release');
    await tap(page.getByRole('button', { name: 'Release hold' }));
    await held.getByText('Nothing is held').waitFor();
    expect(taps()).toBeLessThanOrEqual(3);
    await page.getByRole('region', { name: 'Automation overridden' }).getByText('Released by hand').first().waitFor();
    await alertOf(place, 'firing', 'HighErrorRate');
    await shoot('one-alert-after');
    expect(await held.getByText('Held off').count()).toBe(0);
    await openIncident(/HighErrorRate/);
    await page
      .getByRole('region', { name: 'Holds' })
      .getByText(/released .+ by person-/)
      .waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('Protect the checkout: succeeded').waitFor();
    await shoot('one-alert-incident');
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });

  it('releases all flags of a storm with two taps, and reads what happened', async () => {
    const { place, flags } = await givenStorm(4);
    for (const name of ['HighErrorRate', 'HighLatency', 'QueueFull']) await alertOf(place, 'firing', name);
    const { page, tap, taps, openIncident, shoot } = await wake(width);
    const held = page.getByRole('region', { name: 'Held flags' });
    await held.getByRole('link', { name: flags[3]?.featureName ?? '', exact: true }).waitFor();
    await shoot('storm-now');
    await tap(held.getByRole('button', { name: 'Release all 12 holds' }));
    await page.getByRole('dialog').getByText('Release 12 holds?').waitFor();
    await shoot('storm-release');
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Release 12 holds' }));
    await held.getByText('Nothing is held').waitFor();
    expect(taps()).toBeLessThanOrEqual(3);
    const overridden = page.getByRole('region', { name: 'Automation overridden' });
    for (const { featureName } of flags)
      await overridden.getByRole('link', { name: featureName, exact: true }).waitFor();
    await shoot('storm-after');
    await openIncident(/HighErrorRate/);
    const holds = page.getByRole('region', { name: 'Holds' });
    await holds.getByRole('button', { name: 'Show all 12' }).click();
    await expect.poll(() => holds.getByText(/released .+ by person-/).count()).toBe(12);
    await shoot('storm-incident');
    await expectAccessible(page);
  });

  it('sees in a storm which flags are held, one entry each, and releases a single hold', async () => {
    const { place, flags } = await givenStorm(6);
    const names = Array.from({ length: 10 }, (_, index) => `Storm${index}`);
    for (const name of names) {
      await alertOf(place, 'firing', name);
      server().clock.advance(1000);
    }
    const { page, shoot } = await wake(width);
    const summary = page.getByRole('list', { name: 'Summary' });
    await summary.getByRole('button', { name: '6 flags held, by 60 holds' }).waitFor();
    const held = page.getByRole('region', { name: 'Held flags' });
    expect(await held.getByText('in development, 10 holds').count()).toBe(6);
    expect(await held.getByText('Storm9: error rate 12 %').count()).toBe(6);
    expect(await held.getByText('Storm6: error rate 12 %').count()).toBe(0);
    expect(await held.getByText('and 7 more').count()).toBe(6);
    expect((await held.boundingBox())?.height).toBeLessThan(2600);
    await shoot('large-storm-now');
    await expectAccessible(page);
    const ofFlag = `${flags[0]?.featureName} in development`;
    await held.getByRole('button', { name: `Show 10 holds of ${ofFlag}` }).press('Enter');
    await held.getByText('Storm6: error rate 12 %').waitFor();
    await shoot('large-storm-holds');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await held.getByRole('button', { name: 'Release this hold' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release hold' }).click();
    await summary.getByRole('button', { name: '6 flags held, by 59 holds' }).waitFor();
    await held.getByRole('button', { name: `Release all 9 ${ofFlag}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release 9 holds' }).click();
    await summary.getByRole('button', { name: '5 flags held, by 50 holds' }).waitFor();
    for (const name of names) await alertOf(place, 'resolved', name);
    await held.getByText('Nothing is held').waitFor();
  });

  it('freezes automation that flaps with two taps, resumes it with one, and reads what happened', async () => {
    const place = await givenHolding('Flapping rule');
    const { featureName } = place.flag;
    for (const status of ['firing', 'resolved', 'firing']) {
      await alertOf(place, status, 'Flapping');
      server().clock.advance(1000);
    }
    const { page, tap, taps, openIncident, shoot } = await wake(width);
    const held = page.getByRole('region', { name: 'Held flags' });
    await held.getByRole('link', { name: featureName, exact: true }).waitFor();
    await tap(page.getByRole('button', { name: 'Freeze all automation' }));
    const dialog = page.getByRole('dialog', { name: 'Freeze all automation?' });
    await dialog.getByLabel('Reason').fill('The alert flaps');
    await shoot('flapping-freeze');
    await tap(dialog.getByRole('button', { name: 'Freeze all automation' }));
    const notice = page.getByRole('alert').filter({ hasText: 'All automation is frozen' });
    await notice.getByText('The alert flaps').waitFor();
    expect(taps()).toBeLessThanOrEqual(3);
    await alertOf(place, 'resolved', 'Flapping');
    await page.getByRole('region', { name: 'Needs attention' }).getByText('Waiting', { exact: true }).waitFor();
    await held.getByRole('link', { name: featureName, exact: true }).waitFor();
    await shoot('flapping-frozen');
    await tap(notice.getByRole('button', { name: 'Resume automation' }));
    await notice.waitFor({ state: 'detached' });
    await expect
      .poll(async () => {
        server().clock.advance(10_000);
        await server().app.service.jobs.runDue();
        return held.getByText('Nothing is held').count();
      })
      .toBe(1);
    await shoot('flapping-after');
    await openIncident(/Flapping/);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('All automation frozen', { exact: true }).waitFor();
    await timeline.getByText('Automation resumed', { exact: true }).waitFor();
    await shoot('flapping-incident');
    await expectAccessible(page);
  });

  it('sees the alerts that fire without effect, and why', async () => {
    const place = await givenHolding('In trial', { shadow: true });
    await alertOf(place, 'firing', 'DiskFull');
    await server().app.service.alerts.settled();
    const { page, shoot } = await wake(width);
    const alerts = page.getByRole('region', { name: 'Alerts without effect' });
    await alerts.getByRole('link', { name: 'DiskFull: error rate 12 %' }).waitFor();
    await alerts.getByText('The action In trial is in shadow mode').waitFor();
    // Alerts of other tests still fire, and the newest alert is listed first.
    const link = alerts.getByRole('link', { name: /^Open in prometheus\.example\.com/ }).first();
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([graph, 'noreferrer']);
    await shoot('without-effect');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await alerts.getByRole('link', { name: 'DiskFull: error rate 12 %' }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^Open in prometheus\.example\.com/ })
      .waitFor();
    await expectAccessible(page);
    await page.goBack();
    await alerts.waitFor();
    await alertOf(place, 'resolved', 'DiskFull');
    await alerts.getByRole('link', { name: 'DiskFull: error rate 12 %' }).waitFor({ state: 'detached' });
  });

  it('sees how many alerts fire without effect when more than 25 do', async () => {
    const place = await givenAlertPlace(server());
    const startsAt = new Date(server().clock.now()).toISOString();
    const alertsOf = (status: string) =>
      signal(server(), place, {
        alerts: Array.from({ length: 30 }, (_, n) => ({
          status,
          fingerprint: `${n}`,
          startsAt,
          labels: { n: `${n}` },
        })),
      });
    await alertsOf('firing');
    await server().app.service.alerts.settled();
    const { page, shoot } = await wake(width);
    const alerts = page.getByRole('region', { name: 'Alerts without effect' });
    // The number varies: alerts whose holds were released in other tests still fire.
    const counted = alerts.getByText(/^These are 25 of 3\d alerts\.$/);
    await counted.waitFor();
    await shoot('many-without-effect');
    await expectAccessible(page);
    await alertsOf('resolved');
    await counted.waitFor({ state: 'detached' });
  });
});
