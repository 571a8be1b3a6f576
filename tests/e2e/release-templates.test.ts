import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { giveRoles } from '../../apps/server/testing/access.ts';
import { givenEnabled, givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenTemplate, planOf } from '../../apps/server/testing/release-plans.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();
const memberRole = 5;

/** Returns the template with a name. */
async function templateNamed(name: string) {
  const { json } = await server().admin.call('GET /api/admin/release-plan-templates');
  return json.find((template: { name: string }) => template.name === name);
}

const milestonesOf = (template: { milestones: { name: string }[] }) => template.milestones.map(({ name }) => name);

const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('dialog').getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe.each([1280, 380])('release templates, in a window %s px wide', (width) => {
  let segment: string;
  beforeAll(async () => {
    segment = (await givenSegment(server())).name;
  });

  it('go on where the last milestone was, when one is added after it', async () => {
    const { id, name } = await givenTemplate(server());
    const { page } = await open(server(), { at: `/release-templates/edit/${id}`, width });
    await page.getByRole('button', { name: 'Add milestone' }).click();
    await page.getByLabel('Name of milestone 4').fill('Everywhere');
    await page.getByRole('button', { name: 'Save release template' }).click();
    await page.getByText('10 % → 50 % → 100 % → Everywhere').filter({ visible: true }).first().waitFor();
    const times = (await templateNamed(name)).milestones.map(
      ({ transitionCondition }: { transitionCondition: object | null }) => transitionCondition,
    );
    expect(times).toEqual([...Array(3).fill({ intervalMinutes: 60 }), null]);
  });

  it('are created from 1, 10, 50 and 100 %, with a segment, hours and another order', async () => {
    const name = `Careful ${width}`;
    const { page, complaints } = await open(server(), { at: '/release-templates', width });
    await page.getByText('Milestones for many flags.').waitFor();
    await page.getByRole('button', { name: 'New release template' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create release template' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByLabel('Template name').fill(name);

    const first = page.getByRole('listitem', { name: 'Milestone 1' });
    await first.getByLabel('Percentage of 1 %').fill('5');
    await first.getByLabel('Percentage of 5 %').blur();
    await first.getByRole('button', { name: 'Edit the strategy of 5 %' }).click();
    await choose(page, 'Segments', segment);
    await page.keyboard.press('Escape');
    await choose(page, 'Stickiness', 'userId');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await first.getByText(`5 % of users by userId, in the segment ${segment}`).waitFor();
    await first.getByRole('switch', { name: 'Only at certain hours' }).press(' ');
    await page.getByRole('button', { name: 'Remove 10 %' }).click();
    await page.getByRole('button', { name: 'Add milestone' }).click();
    await page.getByLabel('Name of milestone 4').fill('Everyone');
    await page.getByRole('button', { name: 'Move Everyone up' }).press('Enter');
    await page.getByText('Everyone is at place 3 of 4.').waitFor({ state: 'attached' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create release template' }).click();
    const made = page.getByRole('row').filter({ hasText: name });
    await made.getByText('5 % → 50 % → Everyone → 100 %').filter({ visible: true }).waitFor();
    await expectAccessible(page);

    const template = await templateNamed(name);
    expect(milestonesOf(template)).toEqual(['5 %', '50 %', 'Everyone', '100 %']);
    expect(template.milestones[0]).toMatchObject({
      transitionCondition: { intervalMinutes: 60, hours: { from: '09:00', to: '17:00' } },
      strategies: [{ parameters: { rollout: '5', stickiness: 'userId', groupId: '' }, segments: [expect.any(Number)] }],
    });
    expect(template.milestones.at(-1).transitionCondition).toBeNull();
    expect(complaints()).toEqual([]);
  });

  it('are edited in place, and say at the field what the server refuses', async () => {
    const { id, name, milestones } = await givenTemplate(server());
    const { name: taken } = await givenTemplate(server());
    const { page, complaints } = await open(server(), { at: `/release-templates/edit/${id}`, width });
    await page.getByLabel('Template name').fill(taken);
    await page.getByRole('button', { name: 'Save release template' }).click();
    await page.getByText('Is taken.').waitFor();
    complaints();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Template name').fill(name);
    const first = page.getByRole('listitem', { name: 'Milestone 1' });
    await first.getByLabel('Time at this milestone').fill('90');
    await first.getByRole('combobox', { name: 'Unit' }).click();
    await page.getByRole('option', { name: 'minutes' }).click();
    await page.getByRole('button', { name: 'Save release template' }).click();
    await page.getByRole('heading', { name: 'Release templates', level: 1 }).waitFor();
    expect(await templateNamed(name)).toMatchObject({
      milestones: [{ id: milestones[0].id, transitionCondition: { intervalMinutes: 90 } }, {}, {}],
    });
    expect(complaints()).toEqual([]);
  });

  it('are chosen for a flag, archived and deleted, while plans that were made from them go on', async () => {
    const { name } = await givenTemplate(server());
    const flag = await givenEnabled(server());
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    const development = page.getByRole('region', { name: 'development' });
    await development.getByRole('button', { name: 'Release gradually' }).click();
    await choose(page, 'Steps', name);
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    const plan = development.getByRole('region', { name: 'Release plan' });
    await plan.getByText('Running').waitFor();

    await plan.getByRole('button', { name: 'Save as template' }).click();
    const copy = `Copy of ${name}`;
    const saving = page.getByRole('dialog');
    await saving.getByRole('button', { name: 'Save as template' }).click();
    await saving.getByText('Is taken.').waitFor();
    complaints();
    await saving.getByLabel('Template name').fill(copy);
    await expectAccessible(page);
    await saving.getByRole('button', { name: 'Save as template' }).click();
    await saving.waitFor({ state: 'detached' });
    expect(await templateNamed(copy)).toMatchObject({
      milestones: [{ name: '10 %', startedAt: null, strategies: [{ parameters: { groupId: '' } }] }, {}, {}],
    });

    await page.goto('/release-templates');
    const act = async (entry: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await act('Archive');
    await page.getByRole('dialog').getByText('are copies: they go on').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Archive release template' }).click();
    await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Show archived' }).press(' ');
    await page.getByRole('row', { name }).getByText('Archived').waitFor();
    await expectAccessible(page);
    await act('Revive');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Revive release template' }).click();
    await page.getByRole('row', { name }).getByText('Archived').waitFor({ state: 'detached' });
    expect(await templateNamed(name)).toMatchObject({ archivedAt: null });
    await act('Delete');
    await page.getByRole('dialog').getByText('they stay and go on').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete release template' }).click();
    await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    expect((await planOf(server(), flag)).name).toBe(name);
    expect(complaints()).toEqual([]);
  });

  it('of a project are made by a Member in the project settings, and offered to flags of the project only', async () => {
    const [project, other] = [await givenProject(server()), await givenProject(server())];
    const member = await givenUser(server());
    for (const id of [project, other]) await giveRoles(server(), id, [memberRole], { users: [member.id] });
    await givenSegment(server(), { project });
    const name = `Of ${project}`;
    const window = await open(server(), { at: `/projects/${project}/settings/release-templates`, as: member, width });
    const { page } = window;
    await page.getByText('No release templates yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New release template' }).click();
    await page.getByLabel('Template name').fill(name);
    const field = page.getByRole('combobox', { name: 'Project' });
    expect(await field.inputValue()).toBe(project);
    await field.click();
    await page.getByRole('option', { name: other }).waitFor();
    expect(await page.getByRole('option', { name: 'All projects' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create release template' }).click();
    await page.getByRole('row', { name }).getByText(project, { exact: true }).waitFor();
    await expectAccessible(page);
    expect(await templateNamed(name)).toMatchObject({ project });

    const offered = async (projectId: string) => {
      const { featureName } = await givenEnabled(server(), projectId);
      await page.goto(`/projects/${projectId}/features/${featureName}`);
      const development = page.getByRole('region', { name: 'development' });
      await development.getByRole('button', { name: 'Release gradually' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Steps' }).click();
      await page.getByRole('option', { name: 'In steps' }).waitFor();
      // The list has this choice before the templates are loaded.
      await settled(window);
      return page.getByRole('option', { name, exact: true }).count();
    };
    expect(await offered(other)).toBe(0);
    expect(await offered(project)).toBe(1);
    await page.getByRole('option', { name, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    const plan = page.getByRole('region', { name: 'Release plan' });
    await plan.getByRole('button', { name: 'Save as template' }).click();
    const saving = page.getByRole('dialog');
    await saving.getByLabel('Template name').fill(`${name} again`);
    await expectAccessible(page);
    await saving.getByRole('button', { name: 'Save as template' }).click();
    await saving.waitFor({ state: 'detached' });
    expect(await templateNamed(`${name} again`)).toMatchObject({ project });
    expect(window.complaints()).toEqual([]);
  });

  it('of a project are moved to all projects by an administrator', async () => {
    const project = await givenProject(server());
    const { id, name } = await givenTemplate(server(), { project });
    const { page, complaints } = await open(server(), { at: `/release-templates/edit/${id}`, width });
    const field = page.getByRole('combobox', { name: 'Project' });
    expect(await field.inputValue()).toBe(project);
    await field.click();
    await page.getByRole('option', { name: 'All projects' }).click();
    await page.getByRole('button', { name: 'Save release template' }).click();
    await page.getByRole('heading', { name: 'Release templates', level: 1 }).waitFor();
    expect(await templateNamed(name)).toMatchObject({ project: null });
    expect(complaints()).toEqual([]);
  });

  it('are shown to a viewer, who is told which permission is missing', async () => {
    const { id, name } = await givenTemplate(server());
    const { page, complaints } = await open(server(), {
      at: '/release-templates',
      as: await givenUser(server()),
      width,
    });
    await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByText(/^You may not change all that is here\. .*RELEASE_PLAN_TEMPLATE_UPDATE\b/).waitFor();
    for (const button of ['New release template', `Actions for ${name}`])
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
    await page.goto(`/release-templates/edit/${id}`);
    await page.getByText(/^You may not change all that is here\. .*RELEASE_PLAN_TEMPLATE_UPDATE\b/).waitFor();
    expect(await page.getByRole('button', { name: 'Save release template' }).count()).toBe(0);
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });
});
