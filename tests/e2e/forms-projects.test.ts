import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { type BadInput, expectMendable } from './bad-input.ts';
import { expectAccessible, useBrowser } from './browser.ts';

// Project forms that keep the typed text when input is refused. Other files cover: a new project (flags), its details
// (project-settings), the links of new flags (flag-details), API tokens (access), segments and context fields
// (configure), which have the same forms in a project.

describe('forms of a project', () => {
  const server = useServer();
  const open = useBrowser();

  const givenPerson = async (name: string): Promise<number> => {
    const body = { username: name.toLowerCase(), name, rootRole: 3 };
    return (await server().admin.call('POST /api/admin/user-admin', { body })).json.id;
  };

  it('show refusals at their fields and keep all input: naming pattern, default strategy', async () => {
    const projectId = await givenProject(server());
    const params = { projectId };
    const project = async () =>
      (await server().admin.call('GET /api/admin/projects/:projectId/overview', { params })).json;
    const inputs: readonly BadInput[] = [
      {
        form: 'the naming pattern',
        at: `/projects/${projectId}/settings`,
        typed: { Example: 'shop.basket' },
        field: 'Pattern',
        refused: `shop\\..+${'|x'.repeat(1000)}`,
        taken: 'shop\\..+',
        submit: 'Save naming pattern',
        state: async () => (await project()).featureNaming,
      },
      {
        form: 'a default strategy',
        at: `/projects/${projectId}/settings/environments`,
        open: (page) => page.getByRole('button', { name: 'Edit the default strategy of production' }).click(),
        typed: { Rollout: '25 %' },
        field: 'Title',
        refused: 'x'.repeat(501),
        taken: 'For a quarter',
        submit: 'Save default strategy',
        state: async () => (await project()).environments,
      },
    ];
    const window = await open(server(), { at: '/' });
    for (const input of inputs) await expectMendable(window, input);
  });

  it('show at their fields that a user and a role were deleted', async () => {
    const projectId = await givenProject(server());
    const params = { projectId };
    const [gone, there] = [await givenPerson('Gone'), await givenPerson('There')];
    const role = await server().admin.call('POST /api/admin/roles', {
      body: { name: 'Cashier', description: '', type: 'custom', permissions: [{ name: 'UPDATE_FEATURE' }] },
    });
    const members = async () =>
      (await server().admin.call('GET /api/admin/projects/:projectId/access', { params })).json.users;
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/access` });
    await page.getByRole('button', { name: 'Assign user or group' }).click();
    const form = page.getByRole('dialog', { name: 'Assign user or group' });
    const who = form.getByRole('combobox', { name: 'Users and groups' });
    const roles = form.getByRole('combobox', { name: 'Roles' });
    const choose = async (list: Locator, option: string) => {
      await list.click({ force: true });
      await page.getByRole('option', { name: option }).click();
      await page.keyboard.press('Escape');
    };
    const isRefused = async (list: Locator) => {
      await form.getByRole('button', { name: 'Assign' }).click();
      await form.locator('[aria-invalid=true]').and(list).waitFor();
    };
    await choose(who, 'Gone');
    await choose(roles, 'Cashier');
    await server().admin.call('DELETE /api/admin/user-admin/:id', { params: { id: gone } });
    await isRefused(who);
    await form.getByText('Cashier', { exact: true }).waitFor();
    await expectAccessible(page);
    await who.press('Backspace');
    await choose(who, 'There');
    await server().admin.call('DELETE /api/admin/roles/:roleId', { params: { roleId: role.json.roles.id } });
    await isRefused(roles);
    await form.getByText('There', { exact: true }).waitFor();
    expect(await members()).toEqual([]);
    complaints();
    await roles.press('Backspace');
    await choose(roles, 'Member');
    await form.getByRole('button', { name: 'Assign' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await members()).toMatchObject([{ id: there }]);
    expect(complaints()).toEqual([]);
  });

  it('show an invalid export at its field, keep it for correction, and import it', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    const exported = await server().admin.call('POST /api/admin/features-batch/export', {
      body: { project: projectId, environment: 'development', downloadFile: false },
    });
    const into = await givenProject(server());
    const flags = async () =>
      (await server().admin.call('GET /api/admin/projects/:projectId/features', { params: { projectId: into } })).json
        .features;
    const { page, complaints } = await open(server(), { at: `/projects/${into}/settings/transfer` });
    const data = page.getByRole('textbox', { name: 'Export' });
    const broken = JSON.stringify({ ...exported.json, features: 'none' });
    await data.fill(broken);
    await page.getByRole('button', { name: 'Check import' }).click();
    await page.locator('[aria-invalid=true]').and(data).waitFor();
    const message = page.locator(`[id="${(await data.getAttribute('id')) ?? ''}-error"]`);
    expect(await message.textContent()).toMatch(/features/);
    expect(await data.inputValue()).toBe(broken);
    await expectAccessible(page);
    complaints();
    const renamed = JSON.stringify(exported.json).replaceAll(featureName, `${featureName}-b`);
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ name: 'export.json', mimeType: 'application/json', buffer: Buffer.from(renamed) });
    await expect.poll(() => data.inputValue()).toBe(renamed);
    // Chromium tells nothing of a file that is selected again while the input has it, although it was edited.
    expect(await input.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Check import' }).click();
    await page.getByText(/\d+ changes? will be made/).waitFor();
    expect(await flags()).toEqual([]);
    await page.getByRole('button', { name: 'Import into development' }).click();
    await page.getByText('Imported into development').waitFor();
    expect(await flags()).toMatchObject([{ name: `${featureName}-b` }]);
    expect(complaints()).toEqual([]);
  });
});
