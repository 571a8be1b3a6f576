import { describe, expect, it } from 'vitest';
import { givenReview } from '../../apps/server/testing/change-requests.ts';
import { givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, focused, settled, useBrowser } from './browser.ts';

describe('project settings', () => {
  const server = useServer();
  const open = useBrowser();

  const overviewOf = async (projectId: string) =>
    (await server().admin.call('GET /api/admin/projects/:projectId/overview', { params: { projectId } })).json;
  const reviewOf = async (projectId: string) => {
    const route = 'GET /api/admin/projects/:projectId/change-requests/config';
    return (await server().admin.call(route, { params: { projectId } })).json;
  };

  it('save name, mode and naming pattern, and show invalid values', async () => {
    const projectId = await givenProject(server());
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings` });
    const name = page.getByRole('textbox', { name: 'Project name' });
    await name.fill('');
    await page.getByRole('textbox', { name: 'Description' }).first().fill('Basket and payment');
    await name.press('Enter');
    await page.getByText('Enter a name.').waitFor();
    await name.fill('Shop');
    await page.getByLabel('Protected').check();
    await page.getByLabel('Flag limit').fill('1');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Project saved').waitFor();
    await page.getByRole('link', { name: 'Shop' }).waitFor();
    const pattern = page.getByRole('textbox', { name: 'Pattern' });
    const example = page.getByRole('textbox', { name: 'Example' });
    await pattern.fill('shop[');
    await example.fill('basket');
    await page.getByText('Invalid regular expression.').waitFor();
    await pattern.fill('shop\\..+');
    await page.getByRole('button', { name: 'Save naming pattern' }).click();
    await page.getByText('The example does not match the pattern.').waitFor();
    await expectAccessible(page);
    await example.fill('shop.basket');
    await page.getByRole('button', { name: 'Save naming pattern' }).click();
    await page.getByText('Naming pattern saved').waitFor();
    expect(await overviewOf(projectId)).toMatchObject({
      name: 'Shop',
      description: 'Basket and payment',
      mode: 'protected',
      featureLimit: 1,
      featureNaming: { pattern: 'shop\\..+', example: 'shop.basket' },
    });
    expect(complaints()).toEqual([]);
  });

  it('keep what another user has changed since the page was loaded', async () => {
    const projectId = await givenProject(server());
    const { page } = await open(server(), { at: `/projects/${projectId}/settings` });
    await page.getByRole('textbox', { name: 'Project name' }).fill('Renamed');
    const before = await overviewOf(projectId);
    const body = { name: before.name, mode: 'private', description: 'Secret' };
    await server().admin.call('PUT /api/admin/projects/:projectId', { params: { projectId }, body });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Project saved').waitFor();
    expect(await overviewOf(projectId)).toMatchObject({ name: 'Renamed', mode: 'private', description: 'Secret' });
  });

  it('give a user and a group a role, change the role, and remove it', async () => {
    const projectId = await givenProject(server());
    await givenUser(server());
    await server().admin.call('POST /api/admin/groups', { body: { name: 'Shop team', users: [] } });
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/access` });
    const assign = page.getByRole('button', { name: 'Assign user or group' });
    await assign.click();
    // The names to choose from are shown at once: the first Escape closes them, the next the form.
    await page.getByRole('option', { name: 'Shop team' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Shop team' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await focused(assign);
    await assign.press('Enter');
    const form = page.getByRole('dialog', { name: 'Assign user or group' });
    await form.getByRole('combobox', { name: 'Users and groups' }).fill('Shop');
    await page.getByRole('option', { name: 'Shop team' }).click();
    await form.getByRole('combobox', { name: 'Users and groups' }).fill('A person');
    await page.getByRole('option', { name: 'A person' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Assign' }).click();
    await form.getByText('Select a role.').waitFor();
    await form.getByText('Shop team').waitFor();
    await form.getByRole('combobox', { name: 'Roles' }).click({ force: true });
    await page.getByRole('option', { name: 'Member' }).click();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Assign' }).click();
    const team = page.getByRole('row', { name: /Shop team/ });
    await team.getByText('Member').waitFor();
    await page.getByRole('button', { name: 'Actions for Shop team' }).click();
    await page.getByRole('menuitem', { name: 'Edit roles' }).click();
    const roles = page.getByRole('dialog', { name: 'Roles of Shop team' });
    await roles.getByRole('combobox', { name: 'Roles' }).click({ force: true });
    await page.getByRole('option', { name: 'Owner' }).click();
    await page.keyboard.press('Escape');
    await roles.getByRole('button', { name: 'Save roles' }).click();
    await team.getByText('Owner').waitFor();
    await focused(page.getByRole('button', { name: 'Actions for Shop team' }));
    await page.getByRole('button', { name: 'Actions for A person' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('row', { name: /A person/ }).waitFor({ state: 'detached' });
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/access', { params: { projectId } });
    expect(json.users).toEqual([]);
    expect(json.groups[0].roles).toHaveLength(2);
    expect(complaints()).toEqual([]);
  });

  it('create a token for the project only, remove an environment, and require review', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    const window = await open(server(), { at: `/projects/${projectId}/settings/api-access` });
    const { page } = window;
    await page.getByRole('button', { name: 'New API token' }).click();
    await page.getByLabel('Token name').press('Enter');
    await page.locator('[aria-invalid=true]').and(page.getByLabel('Token name')).waitFor();
    window.complaints();
    await page.getByLabel('Token name').fill('shop');
    await page.keyboard.press('Enter');
    const made = page.getByRole('dialog', { name: 'API token created' });
    const secret = (await made.locator('pre').textContent()) ?? '';
    await made.getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 token', { exact: true }).waitFor();
    const { json } = await server().client(secret).call('GET /api/client/features');
    expect(json.features.map(({ name }: { name: string }) => name)).toEqual([featureName]);
    await focused(page.getByRole('button', { name: 'New API token' }));

    await page.getByRole('tab', { name: 'Environments' }).click();
    const inProject = page.getByRole('switch', { name: 'development is in the project' });
    await inProject.click({ force: true });
    await page.getByRole('button', { name: 'Remove environment' }).click();
    await expect.poll(() => inProject.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Edit the default strategy of production' }).click();
    const strategy = page.getByRole('dialog', { name: 'Default strategy in production' });
    await strategy.getByRole('button', { name: 'Save default strategy' }).click();
    await strategy.waitFor({ state: 'detached' });
    expect((await overviewOf(projectId)).environments).toMatchObject([
      { environment: 'production', defaultStrategy: { name: 'flexibleRollout' } },
    ]);

    await page.getByRole('tab', { name: 'Change requests' }).click();
    await page.getByRole('switch', { name: 'Require review in production' }).press(' ');
    const approvals = page.getByLabel('Required approvals in production');
    await approvals.fill('2');
    await expectAccessible(page);
    await expect
      .poll(() => reviewOf(projectId))
      .toMatchObject([{ environment: 'production', changeRequestEnabled: true, requiredApprovals: 2 }]);
    await settled(window);
    await focused(approvals);
    await approvals.fill('');
    await approvals.blur();
    await expect.poll(() => approvals.inputValue()).toBe('2');
    expect(window.complaints()).toEqual([]);
  });

  it('saves the required approvals also when the page is left at once', async () => {
    const projectId = await givenProject(server());
    await givenReview(server(), projectId, 'production');
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/change-requests` });
    await page.getByLabel('Required approvals in production').fill('3');
    await page.getByRole('tab', { name: 'Links' }).click();
    await page.getByRole('button', { name: 'Add link' }).waitFor();
    await expect
      .poll(() => reviewOf(projectId))
      .toContainEqual(expect.objectContaining({ environment: 'production', requiredApprovals: 3 }));
    expect(complaints()).toEqual([]);
  });

  it('keeps review off when it is switched off right after a number of approvals was typed', async () => {
    const projectId = await givenProject(server());
    await givenReview(server(), projectId, 'production');
    const window = await open(server(), { at: `/projects/${projectId}/settings/change-requests` });
    const { page } = window;
    const approvals = page.getByLabel('Required approvals in production');
    await approvals.waitFor();
    await page.clock.install();
    await approvals.fill('3');
    await page.getByRole('switch', { name: 'Require review in production' }).press(' ');
    await approvals.waitFor({ state: 'detached' });
    await page.clock.fastForward(1000);
    await settled(window);
    expect(await reviewOf(projectId)).toContainEqual(
      expect.objectContaining({ environment: 'production', changeRequestEnabled: false, requiredApprovals: null }),
    );
    expect(window.complaints()).toEqual([]);
  });
});
