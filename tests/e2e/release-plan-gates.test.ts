import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { giveRoles } from '../../apps/server/testing/access.ts';
import { givenReview } from '../../apps/server/testing/change-requests.ts';
import { givenEnabled, givenProject } from '../../apps/server/testing/flags.ts';
import { errorsBelow, reportErrors, startMinute } from '../../apps/server/testing/impact-metrics.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenPlan, inThreeSteps, planOf, rolloutTo } from '../../apps/server/testing/release-plans.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, focused, settled, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

async function setField(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByRole('dialog').getByLabel(label, { exact: true });
  await field.focus();
  await focused(field);
  await field.fill(value);
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe.each([1280, 380])('the gates of a running plan, in a window %s px wide', (width) => {
  it('are edited for the milestones that have not ended, and removed', async () => {
    const flag = await givenEnabled(server());
    await givenPlan(server(), inThreeSteps, flag);
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    const plan = page.getByRole('region', { name: 'development' }).getByRole('region', { name: 'Release plan' });
    const dialog = page.getByRole('dialog');
    await plan.getByRole('button', { name: 'Edit gates of 10 %' }).click();
    await dialog.getByText('50 % starts when all of these gates are open.').waitFor();
    expect(await dialog.getByLabel('Time at this milestone').inputValue()).toBe('1');
    await setField(page, 'Time at this milestone', '');
    await setField(page, 'Evaluations at this milestone, at least', '500');
    await choose(page, 'Approval of this milestone', 'By a person who may change the plan');
    await dialog.getByRole('button', { name: 'Save gates' }).click();
    await dialog.getByText('Must be a whole number from 1.').waitFor();
    await expectAccessible(page);
    await setField(page, 'Time at this milestone', '2');
    await dialog.getByRole('button', { name: 'Save gates' }).click();
    await plan
      .getByText('10 % of users by userId, for 2 hours, after 500 evaluations, when a person approves')
      .waitFor();
    await plan.getByText(/^0 of 500 evaluations, counted from .* UTC on\.$/).waitFor();
    await expectAccessible(page);

    await plan.getByRole('button', { name: 'Edit gates of 50 %' }).click();
    await dialog.getByText('Once 50 % has started, 100 % starts when all of these gates are open.').waitFor();
    await choose(page, 'Next milestone starts', 'When a person starts it');
    await dialog.getByText('Without gates, 50 % is served until a person starts 100 %.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove gates' }).click();
    await plan.getByText('50 % of users by userId, then by hand').waitFor();
    const conditions = (await planOf(server(), flag)).milestones.map(
      ({ transitionCondition }: { transitionCondition: object | null }) => transitionCondition,
    );
    expect(conditions).toEqual([{ intervalMinutes: 120, evaluations: 500, approval: { by: 'person' } }, null, null]);

    expect(await plan.getByRole('button', { name: 'Edit gates of 100 %' }).count()).toBe(0);
    await plan.getByRole('button', { name: 'Start 50 % now' }).click();
    await dialog.getByRole('button', { name: 'Start 50 %' }).click();
    await plan.getByRole('button', { name: 'Edit gates of 10 %' }).waitFor({ state: 'detached' });
    await plan.getByRole('button', { name: 'Edit gates of 50 %' }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('show errors of the server, at the field where there is one', async () => {
    const flag = await givenEnabled(server());
    await givenPlan(server(), inThreeSteps, flag);
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    await page.getByRole('button', { name: 'Edit gates of 10 %' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'Only at certain hours' }).press(' ');
    await setField(page, 'From', '');
    await dialog.getByRole('button', { name: 'Save gates' }).click();
    const from = dialog.getByLabel('From').and(page.locator('[aria-invalid=true]'));
    await from.waitFor();
    await expectAccessible(page);
    complaints();
    await setField(page, 'From', '10:00');
    await dialog.getByRole('button', { name: 'Save gates' }).click();
    await page.getByText('for 1 hour, then on mon, tue, wed, thu, fri 10:00–17:00').waitFor();
    expect(complaints()).toEqual([]);
  });

  it('keep what the form does not edit, such as the labels of a metric', async () => {
    startMinute(server());
    await reportErrors(server(), 1);
    const metric = errorsBelow(5);
    metric.impactMetric.labelSelectors = { environment: ['development'], ...{ region: ['eu'] } };
    const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, metric } };
    const flag = await givenEnabled(server());
    await givenPlan(server(), [gated, rolloutTo(100)], flag);
    const window = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    const { page } = window;
    await page.getByRole('button', { name: 'Edit gates of 10 %' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Reads environment = development, region = eu.').waitFor();
    await setField(page, 'Threshold', '9');
    await settled(window);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save gates' }).click();
    await page.getByText('while unleash_counter_gate_errors (count, last 5 min) below 9').waitFor();
    expect((await planOf(server(), flag)).milestones[0].transitionCondition).toEqual({
      intervalMinutes: 60,
      metric: { ...metric, condition: { operator: '<', threshold: 9 } },
    });
    expect(window.complaints()).toEqual([]);
  });

  it('are added to the draft change request where changes are reviewed', async () => {
    const projectId = await givenProject(server());
    const flag = await givenEnabled(server(), projectId);
    const { milestoneIds } = await givenPlan(server(), inThreeSteps, flag);
    await givenReview(server(), projectId);
    const member = await givenUser(server());
    await giveRoles(server(), projectId, [5], { users: [member.id] });
    const { page, complaints } = await open(server(), {
      at: `/projects/${projectId}/features/${flag.featureName}`,
      as: member,
      width,
    });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit gates of 10 %' }).click();
    await setField(page, 'Time at this milestone', '3');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add to draft change request' }).click();
    await page.getByText('Nothing has changed in development yet.').waitFor();
    await page.getByRole('button', { name: 'Edit gates of 50 %' }).click();
    await choose(page, 'Next milestone starts', 'When a person starts it');
    await dialog.getByRole('button', { name: 'Add to draft change request' }).click();
    // The notice comes before the dialog closes, and disappears after four seconds.
    const title = await page
      .getByText(/^Added to your draft, change request #\d+$/)
      .first()
      .textContent();
    await dialog.waitFor({ state: 'detached' });
    // Read with the session of the page, because only the author of a draft can see it.
    const draft = await page.request.get(`/api/admin/projects/${projectId}/change-requests/${title?.split('#')[1]}`);
    const { features } = await draft.json();
    const [first, second] = milestoneIds;
    expect(features[0].changes).toMatchObject([
      {
        action: 'changeMilestoneProgression',
        payload: { sourceMilestone: first, transitionCondition: { intervalMinutes: 180 } },
      },
      { action: 'deleteMilestoneProgression', payload: { sourceMilestone: second } },
    ]);
    expect((await planOf(server(), flag)).milestones[0].transitionCondition).toEqual({ intervalMinutes: 60 });
    expect(complaints()).toEqual([]);
  });

  it('cannot be edited by a viewer, who reads so and has no button for it', async () => {
    const flag = await givenEnabled(server());
    await givenPlan(server(), inThreeSteps, flag);
    const window = await open(server(), {
      at: `/projects/default/features/${flag.featureName}`,
      as: await givenUser(server(), 'Viewer'),
      width,
    });
    const { page } = window;
    await page.getByText('You may not change this flag.').waitFor();
    await page.getByRole('button', { name: 'Show course' }).waitFor();
    await settled(window);
    expect(await page.getByRole('button', { name: /^(Edit gates|Start|Pause|Remove plan)/ }).count()).toBe(0);
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });
});

describe('the dialog of gates', () => {
  it('stays open with its input when the milestone ends meanwhile, and says so', async () => {
    const flag = await givenEnabled(server());
    await givenPlan(server(), inThreeSteps, flag);
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${flag.featureName}` });
    await page.getByRole('button', { name: 'Edit gates of 10 %' }).click();
    await setField(page, 'Evaluations at this milestone, at least', '500');
    server().clock.advance(3_600_000);
    await server().app.service.jobs.runDue();
    // The page fetches the plan every 15 seconds.
    const dialog = page.getByRole('dialog');
    await dialog.getByText('10 % has ended. The gates apply when it is started again.').waitFor({ timeout: 30_000 });
    await dialog.getByRole('button', { name: 'Save gates' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await planOf(server(), flag)).milestones[0].transitionCondition.evaluations).toBe(500);
    expect(complaints()).toEqual([]);
  });
});
