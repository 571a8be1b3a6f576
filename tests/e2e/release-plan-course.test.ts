import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '../../apps/server/testing/alerts.ts';
import { type FlagEnvironmentParams, givenEnabled } from '../../apps/server/testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '../../apps/server/testing/impact-metrics.ts';
import { givenPlan, rolloutTo } from '../../apps/server/testing/release-plans.ts';
import { moreThan, setSafeguard } from '../../apps/server/testing/safeguards.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, settled, useBrowser, type Window } from './browser.ts';

const server = useServer();
const open = useBrowser();

/** Lets minutes pass. In each of them a service reports that many errors. */
async function report(metric: string, minutes: number, errors: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await reportMetrics(server(), [{ name: metric, samples: [{ value: errors }] }], 'development');
    server().clock.advance(60_000);
    await server().app.service.jobs.runDue();
  }
}

const alert = (status: string) => ({
  status,
  commonLabels: { alertname: 'HighLatency' },
  alerts: [{ status, fingerprint: 'a', labels: { alertname: 'HighLatency' } }],
});

/** Creates a flag whose plan starts at 10 %, is held off by an alert for ten minutes, and goes on to 50 %. */
async function givenHeldPlan(metric: string) {
  startMinute(server());
  const place = await givenAlertPlace(server());
  await givenSet(server(), holdingAlerts(place, { params: { reason: 'Latency is high' } }), place);
  const steps = [rolloutTo(10, 20), rolloutTo(50, 600), rolloutTo(100)];
  const { params } = await givenPlan(server(), steps, place.flag);
  await report(metric, 8, 1);
  const name = `unleash_counter_${metric}`;
  await setSafeguard(server(), params, moreThan(50, name));
  await setSafeguard(server(), params, moreThan(0.5, name, { aggregationMode: 'rps' }));
  const signalId = await signal(server(), place, alert('firing'));
  await report(metric, 10, 9);
  await signal(server(), place, alert('resolved'));
  await report(metric, 30, 2);
  return { flag: place.flag, signalId };
}

/** Returns the release plan on the page of a flag. */
async function openPlan(window: Window, { environment, featureName, projectId }: FlagEnvironmentParams) {
  await logIn(window, `/projects/${projectId}/features/${featureName}`);
  return window.page.getByRole('region', { name: environment }).getByRole('region', { name: 'Release plan' });
}

async function showCourse(window: Window, plan: Locator): Promise<Locator> {
  await plan.getByRole('button', { name: 'Show course' }).click();
  const course = plan.getByRole('region', { name: 'Course of the plan' });
  await course.getByText('Exposure, % of users').waitFor();
  await settled(window);
  return course;
}

/** Returns the cells of the table below the charts. */
async function factsOf(course: Locator): Promise<string[][]> {
  const rows = await course.getByRole('table', { name: 'Course of the plan' }).getByRole('row').all();
  return Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()));
}

/** Chooses a metric by a part of its name, and waits until the table has a column for it. */
async function chooseMetric(course: Locator, name: string): Promise<void> {
  await course.getByRole('combobox', { name: 'Metric' }).click();
  await course.page().getByRole('option', { name }).click();
  await course.getByRole('columnheader', { name }).waitFor();
}

/** Moves the mouse to a position on the time axis of the exposure chart: 0 is its beginning and 1 its end. */
async function pointAt(course: Locator, part: number): Promise<void> {
  const plot = course.locator('.recharts-cartesian-grid').first();
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await course.page().mouse.move(x + width * part, y + height / 2);
}

async function expectNoScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

describe.each([1280, 380])('the course of a release plan, in a window %s px wide', (width) => {
  it.each(['light', 'dark'] as const)(
    'shows the exposure, a hold and the watched metric, in %s',
    async (colorScheme) => {
      const metric = metricNamed('errors');
      const { flag, signalId } = await givenHeldPlan(metric);
      const window = await open(server(), { width, colorScheme });
      const { page } = window;
      const scripts: string[] = [];
      page.on('request', (request) => scripts.push(request.url()));
      const plan = await openPlan(window, flag);
      const show = plan.getByRole('button', { name: 'Show course' });
      await show.and(page.locator('[aria-expanded=false]')).waitFor();
      await settled(window);
      expect(scripts.filter((url) => /course|Chart/.test(url))).toEqual([]);

      const course = await showCourse(window, plan);
      await chooseMetric(course, 'count, last 5 min) above 50');
      await course.getByText('Threshold').waitFor();
      expect(await factsOf(course)).toEqual([
        ['10 %', '10 %', 'Goes on', expect.stringMatching(/\d/)],
        ['10 %', '0 %', expect.stringMatching(/^Held off by .+: Latency is high$/), expect.stringMatching(/45$/)],
        ['10 %', '10 %', 'Goes on', '10 to 38'],
        ['50 %', '50 %', 'Goes on', '10'],
      ]);
      const averages = course.getByRole('table', { name: 'Averages by milestone' });
      const count = averages.getByRole('row', { name: 'count, last 5 min) above 50' });
      expect(await averages.getByRole('columnheader').allTextContents()).toEqual(['Metric', '10 %', '50 %']);
      expect(await count.getByRole('cell').allTextContents()).toEqual([expect.stringMatching(/^\d/), '10']);
      const stop = course.getByRole('listitem');
      // With the date when the hold ended on another day than it began.
      await stop.getByText(/to (\S+ )?\d\d:\d\d at 10 %: Held off by .+: Latency is high/).waitFor();
      expect(await stop.getByRole('link', { name: `Signal ${signalId}` }).getAttribute('href')).toContain(
        `${signalId}`,
      );
      await expectAccessible(page);
      await expectNoScroll(page);

      await pointAt(course, 13 / 48);
      await course.getByText('10 %: 0 % of users').waitFor();
      await chooseMetric(course, 'per second, last 5 min) above 0.5');
      await settled(window);
      await expectAccessible(page);
      await expectNoScroll(page);
      await plan.getByRole('button', { name: 'Hide course' }).click();
      await course.waitFor({ state: 'detached' });
      expect(window.complaints()).toEqual([]);
    },
  );

  it('shows the exposure alone without a metric, and the last day of a longer plan at first', async () => {
    const flag = await givenEnabled(server());
    const { params } = await givenPlan(server(), undefined, flag);
    const pause =
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/pause';
    server().clock.advance(20 * 60_000);
    await server().admin.call(pause, { params });
    server().clock.advance(48 * 3_600_000);
    await server().admin.call(pause.replace(/pause$/, 'resume') as typeof pause, { params });
    const window = await open(server(), { width });
    const { page } = window;
    const course = await showCourse(window, await openPlan(window, flag));
    await expectAccessible(page);
    expect((await factsOf(course)).map(([, exposure, state]) => [exposure, state])).toEqual([
      ['10 %', expect.stringMatching(/^Paused by /)],
    ]);
    await course.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Since the plan was added' }).click();
    await expect.poll(async () => (await factsOf(course)).length).toBe(2);
    await expectAccessible(page);
    await expectNoScroll(page);
    expect(window.complaints()).toEqual([]);
  });
});
