import { describe, expect, it } from 'vitest';
import { givenMember } from '../../apps/server/testing/access.ts';
import { givenReview, requestChanges, setRequestState } from '../../apps/server/testing/change-requests.ts';
import { givenEnabled, givenProject } from '../../apps/server/testing/flags.ts';
import { givenHold, releaseHold } from '../../apps/server/testing/holds.ts';
import {
  approve,
  givenPlan,
  passMinutes,
  planOf,
  rolloutTo,
  servedPercentages,
} from '../../apps/server/testing/release-plans.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenSdk } from '../../apps/server/testing/tokens.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

/** Opens the dialog that adds a plan on the page of a new flag. */
async function openDialog(width: number) {
  const flag = await givenEnabled(server());
  const window = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
  const { page } = window;
  const development = page.getByRole('region', { name: 'development' });
  await development.getByRole('button', { name: 'Release gradually' }).click();
  return { flag, window, page, development };
}

describe.each([1280, 380])('a release plan, in a window %s px wide', (width) => {
  it('is added in three clicks, shows why it waits, and is paused, moved on and removed', async () => {
    const { flag, window, page, development } = await openDialog(width);
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('switch', { name: 'Only at certain hours' }).press(' ');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    const plan = development.getByRole('region', { name: 'Release plan' });
    await plan.getByText(/Serves this milestone. Next: 10 % (in|tomorrow)/).waitFor();
    await plan.getByText('Running').waitFor();
    await expectAccessible(page);
    await plan.getByText(/1 % of users, for 1 hour, then on mon, tue, wed, thu, fri 09:00–17:00/).waitFor();
    expect((await planOf(server(), flag)).milestones).toHaveLength(4);

    await plan.getByRole('button', { name: 'Pause' }).click();
    await plan.getByText('Paused. The milestone stays until the plan is resumed.').waitFor();
    await expectAccessible(page);
    await plan.getByRole('button', { name: 'Resume' }).click();
    // A reload would cancel the request while it waits for its answer.
    await plan.getByText('Running').waitFor();
    const hold = await givenHold(server(), flag);
    await page.reload();
    await plan.getByText(/^Halted: the flag is held/).waitFor();
    await expectAccessible(page);
    await releaseHold(server(), flag, hold.id);

    const sdk = await givenSdk(server(), { environment: flag.environment, type: 'frontend' });
    for (const userId of ['anna', 'bo']) await sdk.call('GET /api/frontend', { query: { userId } });
    await plan.getByRole('button', { name: 'Start 50 % now' }).click();
    await page.getByRole('dialog').getByText('is served as 50 % says, instead of 1 %').waitFor();
    const effect = page.getByRole('dialog').getByRole('status', { name: 'Effect of the milestone' });
    await effect.getByText(/^Of 1,000 sampled users, \d+ get the flag now, and \d+ would. Nobody loses it.$/).waitFor();
    await effect.getByText(/^Of 2 contexts that clients sent since .+, \d gets? the flag now, and \d would/).waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Start 50 %' }).click();
    await plan.getByRole('button', { name: 'Go back to 1 %' }).waitFor();
    expect((await planOf(server(), flag)).milestones[2].startedAt).not.toBeNull();

    await plan.getByRole('button', { name: 'Remove plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Keep them: ${flag.featureName} is served as now`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove plan' }).click();
    await plan.waitFor({ state: 'detached' });
    await development.getByText('50 % of users').waitFor();
    expect(await planOf(server(), flag)).toBeUndefined();
    expect(window.complaints()).toEqual([]);
  });

  it('says to reviewers who would get the flag by a requested milestone', async () => {
    const projectId = await givenProject(server());
    const { params, milestoneIds } = await givenPlan(server(), undefined, await givenEnabled(server(), projectId));
    await givenReview(server(), projectId);
    const { client } = await givenMember(server(), projectId, 5);
    const payload = { planId: params.planId, milestoneId: milestoneIds[1] };
    const change = { action: 'startMilestone', feature: params.featureName, payload };
    const { id } = await requestChanges(client, params, change);
    await setRequestState(client, projectId, id, 'In review');
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/change-requests/${id}`, width });
    const effect = page.getByRole('status', { name: 'Effect of the milestone' });
    await effect.getByText(/^Of 1,000 sampled users, \d+ get the flag now, and \d+ would. Nobody loses it.$/).waitFor();
    await expectAccessible(page);
    await setRequestState(server().admin, projectId, id, 'Approved');
    await setRequestState(server().admin, projectId, id, 'Applied');
    await page.getByText('Applied').first().waitFor();
    await effect.waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
  });

  it('waits for evaluations and an approval, and says for what', async () => {
    const { flag, window, page, development } = await openDialog(width);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Evaluations at each step, at least').fill('500');
    await dialog.getByRole('combobox', { name: 'Approval of each step' }).click();
    await page.getByRole('option', { name: 'By a person who may change the plan' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Start' }).click();
    const plan = development.getByRole('region', { name: 'Release plan' });
    await plan.getByText('1 % of users, for 1 hour, after 500 evaluations, when a person approves it').waitFor();
    await plan.getByText(/^0 of 500 evaluations, counted from .* UTC on\.$/).waitFor();
    await plan.getByText('Waits for the approval of a person.').waitFor();
    await expectAccessible(page);
    await plan.getByRole('button', { name: 'Approve 1 %' }).click();
    await dialog.getByText('10 % starts in development when the other conditions hold, too.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Approve 1 %' }).click();
    await plan.getByText(/Approved/).waitFor();
    await plan.getByText('Waits for the approval of a person.').waitFor({ state: 'detached' });
    server().clock.advance(3_600_000);
    await server().app.service.jobs.runDue();
    await page.reload();
    await plan.getByText('The time at this milestone is over.').waitFor();
    await plan.getByText('Waits for a condition').waitFor();
    await expectAccessible(page);
    expect((await planOf(server(), flag)).milestones[0].approvedAt).not.toBeNull();
    expect(window.complaints()).toEqual([]);
  });

  it('is approved at the milestone that the dialog names, also when another user has approved it meanwhile', async () => {
    const flag = await givenEnabled(server());
    const gated = (percentage: number) => ({
      ...rolloutTo(percentage),
      transitionCondition: { intervalMinutes: 60, approval: { by: 'person' } },
    });
    const plan = await givenPlan(server(), [gated(10), gated(50), rolloutTo(100)], flag);
    await passMinutes(server(), 60);
    const { page } = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    await page.getByRole('button', { name: 'Approve 10 %' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Approve 10 %?').waitFor();
    await approve(server(), plan);
    await passMinutes(server(), 1);
    await page.getByRole('button', { name: 'Approve 50 %', includeHidden: true }).waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Approve 10 %' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await planOf(server(), flag)).milestones[1].approvedAt).toBeNull();
  });

  it('can be approved only with the role, and says which one is missing', async () => {
    const flag = await givenEnabled(server());
    const approval = { by: 'person', role: 4 };
    const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval } };
    await givenPlan(server(), [gated, rolloutTo(100)], flag);
    const window = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    const { page } = window;
    await page.getByText('Waits for the approval of a person with the role Owner').waitFor();
    await settled(window);
    expect(await page.getByRole('button', { name: 'Approve 10 %' }).count()).toBe(0);
    expect(window.complaints()).toEqual([]);
  });

  it('runs in shadow mode until a person lets it be served', async () => {
    const { flag, window, page, development } = await openDialog(width);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'Shadow mode' }).press(' ');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const plan = development.getByRole('region', { name: 'Release plan' });
    await plan.getByText('Shadow mode', { exact: true }).waitFor();
    await expectAccessible(page);
    expect(await servedPercentages(server(), flag)).not.toContain('1');
    await plan.getByRole('button', { name: 'Serve 1 %' }).click();
    await dialog.getByRole('radio', { name: 'served from now on, instead of the strategies of the flag' }).check();
    await dialog.getByText(/^Of 1,000 sampled users, 1,000 get the flag now, and \d{1,2} would\./).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Start 1 %' }).click();
    await plan.getByText('Shadow mode', { exact: true }).waitFor({ state: 'detached' });
    expect(await servedPercentages(server(), flag)).toEqual(['1']);
    expect(window.complaints()).toEqual([]);
  });

  it('is halted by an override and by a freeze, as the dialogs say, and goes on afterwards', async () => {
    const flag = await givenEnabled(server());
    await givenPlan(server(), [rolloutTo(10, 60), rolloutTo(100)], flag);
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    const development = page.getByRole('region', { name: 'development', exact: true });
    await development.getByRole('button', { name: 'Override automation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its release plan is halted, and goes on afterwards').waitFor();
    await expectAccessible(page);
    // Not for an hour: other tests have moved the clock of the server on, not that of the browser.
    await dialog.getByRole('combobox', { name: 'How long' }).click();
    await page.getByRole('option', { name: 'Until it is ended' }).click();
    await dialog.getByLabel('Why').fill('I look into it');
    await dialog.getByRole('button', { name: 'Override', exact: true }).click();
    const plan = development.getByRole('region', { name: 'Release plan' });
    await plan.getByText('Halted by a person').waitFor();
    const goesOn = 'Afterwards the milestone goes on with the time that is left.';
    await plan.getByText(`Halted: a person overrides automation. ${goesOn}`).waitFor();
    await expectAccessible(page);
    await development.getByRole('button', { name: `End override of ${flag.featureName}` }).click();
    await plan.getByText('Running').waitFor();

    await page.goto('/actions');
    await page.getByRole('button', { name: 'Freeze all automation' }).click();
    await dialog.getByText('Release plans are halted').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Freeze all automation' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`/projects/default/features/${flag.featureName}`);
    await plan.getByText(`Halted: automation is frozen. ${goesOn}`).waitFor();
    await page.getByRole('button', { name: 'Resume automation' }).click();
    await page.getByText('All automation is frozen').waitFor({ state: 'detached' });
    await plan.getByText('Running').waitFor();
    expect(complaints()).toEqual([]);
  });
});
