import { describe, expect, it } from 'vitest';
import { givenSet } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const server = useServer({ signalEndpointsLimit: 1000 });
const open = useBrowser();
const reason = /lacks the permission UPDATE_FEATURE_ENVIRONMENT in development\. Give it a role with this permission/;

async function setRole(id: number, rootRole: string): Promise<void> {
  const body = { name: 'Robot', rootRole };
  const reply = await server().admin.call('PUT /api/admin/service-account/:id', { params: { id }, body });
  expect(reply.status).toBe(200);
}

describe('an action whose service account lacks a permission', () => {
  it.each([380, 1280])('cannot run: Now, the lists, its form and its runs say so and why, at %d px', async (width) => {
    const name = `Roll back at ${width}`;
    const { actorId, projectId, id } = await givenSet(server(), { name });
    const window = await open(server(), { at: '/', width });
    const { page } = window;
    await page.getByText('Nothing is held').waitFor();
    await settled(window);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    expect(await attention.count()).toBe(0);
    await setRole(actorId, 'Viewer');
    await attention.getByText('Cannot run').waitFor();
    await attention.getByText(reason).waitFor();
    const expectFits = async () => {
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    };
    await expectFits();

    await attention.getByRole('link', { name }).click();
    const form = page.getByRole('dialog', { name: 'Edit action' });
    const alert = form.getByRole('alert', { name: 'This action cannot run' });
    await alert.getByText(reason).waitFor();
    await alert.getByRole('link', { name: 'Open service accounts' }).waitFor();
    await expectFits();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByText('Cannot run').waitFor();
    await page.getByText(reason).waitFor();
    await expectFits();

    await page.goto(`/projects/${projectId}/settings/actions?runsOf=${id}`);
    const runs = page.getByRole('dialog', { name: `Runs: ${name}` });
    await runs.getByRole('alert', { name: 'This action cannot run' }).getByText(reason).waitFor();
    await expectFits();

    await page.goto('/actions');
    const row = page.getByRole('row', { name });
    await row.getByText('Cannot run').waitFor();
    await row.getByText(reason).waitFor();
    await expectFits();
    await setRole(actorId, 'Editor');
    await row.getByText('Cannot run').waitFor({ state: 'detached' });
    await page.goto(`/projects/${projectId}/settings/actions`);
    await page.getByRole('button', { name, exact: true }).waitFor();
    expect(await page.getByText('Cannot run').count()).toBe(0);
    expect(window.complaints()).toEqual([]);
  });
});
