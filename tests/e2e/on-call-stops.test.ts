import { describe, expect, it } from 'vitest';
import { givenGroup } from '../../apps/server/testing/access.ts';
import { givenRunHold } from '../../apps/server/testing/actions.ts';
import { givenReview } from '../../apps/server/testing/change-requests.ts';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenPlan, planOf, sentPercentages } from '../../apps/server/testing/release-plans.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, settled, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

/**
 * Opens the page of a flag, to which messages about it lead, for a Viewer with the root role On call. The clock of the
 * computer is `wrongByMs` ahead.
 */
async function openAsOnCall({ projectId, featureName }: FlagEnvironmentParams, width: number, wrongByMs = 0) {
  const person = await givenUser(server(), 'Viewer');
  const { json } = await server().admin.call('GET /api/admin/roles');
  const onCall = json.roles.find(({ name }: { name: string }) => name === 'On call');
  await givenGroup(server(), [person.id], { rootRole: onCall.id });
  const window = await open(server(), { width });
  if (wrongByMs !== 0) await window.page.clock.setSystemTime(Date.now() + wrongByMs);
  await logIn(window, `/projects/${projectId}/features/${featureName}`, person);
  return window;
}

async function givenAtHalf() {
  const plan = await givenPlan(server(), undefined, await givenEnabled(server(), await givenProject(server())));
  // Not by time: the end of a hold is chosen by the clock of the browser.
  const route =
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start';
  const params = { ...plan.params, milestoneId: plan.milestoneIds[1] ?? '' };
  expect((await server().admin.call(route, { params })).status).toBe(200);
  return plan;
}

describe.each([-10, 10])('a computer whose clock is wrong by %i minutes', (minutes) => {
  it('ends a hold after the time that was chosen', async () => {
    const params = await givenEnabled(server(), await givenProject(server()));
    const { page } = await openAsOnCall(params, 1280, minutes * 60_000);
    expect(Math.round(((await page.evaluate(() => Date.now())) - Date.now()) / 60_000)).toBe(minutes);
    const card = page.getByRole('region', { name: 'development' });
    await card.getByRole('button', { name: 'Hold off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hold off' }).click();
    await card.getByText('Configured on, held off now').waitFor();
    const leases = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
    const [hold] = (await server().admin.call(leases, { params })).json.leases;
    const lasts = Date.parse(hold.expiresAt) - Date.now();
    const hours = Math.round(lasts / 3_600_000);
    expect(hours).toBeGreaterThan(0);
    expect(Math.abs(lasts - hours * 3_600_000)).toBeLessThan(2 * 60_000);
  });
});

describe.each([390, 1280])('a person on call who opens a flag from a message, on a page of %i px', (width) => {
  it('holds it off with two taps where changes are reviewed, and gives it back', async () => {
    const params = await givenEnabled(server(), await givenProject(server()));
    await givenReview(server(), params.projectId, params.environment);
    const window = await openAsOnCall(params, width);
    const { page } = window;
    const card = page.getByRole('region', { name: 'development' });
    await card.getByRole('button', { name: 'Hold off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hold off' }).click();
    await card.getByText('Configured on, held off now').waitFor();
    expect(await sentPercentages(server(), params)).toBeUndefined();
    await card.getByText('Stopped by the person on call').waitFor();
    await settled(window);
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release hold' }).click();
    await card.getByText('On', { exact: true }).waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('holds it at an earlier milestone of its plan, pauses the plan and goes back', async () => {
    const { params } = await givenAtHalf();
    const window = await openAsOnCall(params, width);
    const { page } = window;
    const card = page.getByRole('region', { name: 'development' });
    await card.getByRole('button', { name: 'Hold off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Effect' }).click();
    expect(await page.getByRole('option').allTextContents()).toEqual(
      expect.arrayContaining(['Off', 'At the milestone 10 %']),
    );
    expect(await page.getByRole('option', { name: 'On', exact: true }).count()).toBe(0);
    await page.getByRole('option', { name: 'At the milestone 10 %' }).click();
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await card.getByText('held at the milestone 10 % now').waitFor();
    expect(await sentPercentages(server(), params)).toEqual(['10']);

    await card.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByText('You may not resume it').waitFor();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await card.getByText('Paused', { exact: true }).waitFor();
    expect(await card.getByRole('button', { name: 'Resume' }).count()).toBe(0);
    await card.getByRole('button', { name: 'Go back to 10 %' }).click();
    await dialog.getByRole('button', { name: 'Start 10 %' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await planOf(server(), params)).activeMilestoneId).toBe((await planOf(server(), params)).milestones[0].id);
    await settled(window);
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });

  it('does not resume a plan that another person paused while the question is open', async () => {
    const { params } = await givenAtHalf();
    const window = await openAsOnCall(params, width);
    const { page } = window;
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You may not resume it').waitFor();
    const pausing =
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/pause';
    expect((await server().admin.call(pausing, { params })).status).toBe(200);
    await page.getByText('Paused', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await planOf(server(), params)).progress).toMatchObject({ state: 'paused' });
    expect(window.complaints()).toEqual([]);
  });

  it('reads in one line that nothing else may be changed, without grey buttons', async () => {
    const { params } = await givenAtHalf();
    const window = await openAsOnCall(params, width);
    const { page } = window;
    const main = page.getByRole('main');
    await main.getByText('You may not change this flag.').waitFor();
    await settled(window);
    const grey = main.locator('button:disabled, a[data-disabled]').filter({ visible: true });
    for (const tab of ['Overview', 'Metrics', 'Event log', 'Settings']) {
      await page.getByRole('tab', { name: tab }).click();
      await settled(window);
      expect([tab, ...(await grey.allTextContents())]).toEqual([tab]);
      expect(await main.getByText('You may not change this flag.').count()).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      await expectAccessible(page);
    }
    expect(await main.getByRole('button', { name: 'Actions', exact: true }).count()).toBe(0);
    expect(await main.getByRole('button', { name: 'Save settings' }).count()).toBe(0);
  });
});

describe.each([390, 1280])('a person on call who looks after a held flag, on a page of %i px', (width) => {
  it('says so on its page, and everyone sees the name, on Now too, until it is withdrawn', async () => {
    const params = await givenRunHold(server());
    const window = await openAsOnCall(params, width);
    const { page } = window;
    const name = `${params.featureName} in ${params.environment}`;
    await page.getByRole('button', { name: `I have it: ${name}` }).click();
    await page.getByRole('button', { name: `Withdraw: ${name}` }).waitFor();
    await settled(window);
    await expectAccessible(page);
    const other = await open(server(), { at: '/personal', width });
    const text = other.page.getByText(/ has it, /);
    await text.waitFor();
    expect(await other.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await expectAccessible(other.page);
    await page.getByRole('button', { name: `Withdraw: ${name}` }).click();
    await text.waitFor({ state: 'detached' });
    await other.page.getByRole('button', { name: `I have it: ${name}` }).waitFor();
    expect([...window.complaints(), ...other.complaints()]).toEqual([]);
  });
});
