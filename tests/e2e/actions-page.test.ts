import { describe, expect, it } from 'vitest';
import { givenSet, signal } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const server = useServer({ signalEndpointsLimit: 1000 });
const open = useBrowser();

describe('the page Actions', () => {
  it('shows the whole state of the last run, even in a narrow column', async () => {
    const set = await givenSet(server());
    await signal(server(), set, { deployed: true });
    const { page, complaints } = await open(server(), { at: '/actions' });
    const state = page.getByRole('row').getByText('Succeeded').first();
    await state.waitFor();
    await page.getByRole('table').evaluate((table) => {
      table.style.tableLayout = 'fixed';
      table.style.width = '150px';
    });
    expect(await state.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
    expect(complaints()).toEqual([]);
  });

  it('makes an action in a project that the user chooses', async () => {
    const { projectId } = await givenSet(server());
    const { page, complaints } = await open(server(), { at: '/actions', width: 380 });
    await page.getByRole('button', { name: 'New action' }).click();
    const choice = page.getByRole('dialog', { name: 'New action' });
    await choice.getByRole('combobox', { name: 'Project' }).fill(projectId);
    await page.getByRole('option', { name: projectId }).click();
    await expectAccessible(page);
    await choice.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog', { name: 'New action' }).getByLabel('Action name').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/projects/${projectId}/settings/actions`);
    expect(complaints()).toEqual([]);
  });
});
