import { describe, expect, it } from 'vitest';
import { givenActionPlace, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('automation', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows that an alert holds a flag, and releases the hold', async () => {
    const place = await givenActionPlace(server());
    const { projectId, flag } = place;
    const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await server().admin.call(on, { params: flag });
    const executionParams = { project: projectId, ...flag, effect: 'off' };
    const { projectId: _, ...params } = executionParams;
    await givenSet(server(), { actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams: params }] }, place);
    await signal(server(), place);
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/features/${flag.featureName}` });
    const notice = page.getByRole('alert').filter({ hasText: 'Configured on, held off' });
    await notice.waitFor();
    await expectAccessible(page);
    await notice.getByRole('button', { name: 'Release' }).click();
    const dialog = page.getByRole('dialog', { name: 'Release hold?' });
    await dialog.getByText(`${flag.featureName} in development: held off, then on, as configured`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('combobox', { name: 'Then keep automation off' }).waitFor();
    await dialog.getByRole('button', { name: 'Release hold' }).click();
    await notice.waitFor({ state: 'detached' });
    const leases = await server().admin.call('GET /api/admin/projects/:projectId/leases', { params: { projectId } });
    expect(leases.json.total).toBe(0);
    expect(complaints()).toEqual([]);
  });

  it('shows that the releasing action is in shadow mode, and what it would have done', async () => {
    const place = await givenActionPlace(server());
    const { projectId, flag } = place;
    const { projectId: _, ...where } = flag;
    const executionParams = { project: projectId, ...where, effect: 'off' };
    const holding = { actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }] };
    const live = await givenSet(server(), { ...holding, name: 'Hold it', shadow: false }, place);
    await givenSet(
      server(),
      { ...holding, name: 'Try to hold it', shadow: true },
      { ...place, endpoint: await givenEndpoint(server()) },
    );
    await signal(server(), live);
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/actions` });
    const begin = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'New action that releases it' }).click();
      return page.getByRole('dialog', { name: 'New action' });
    };
    let form = await begin('Try to hold it');
    await form.getByText('“Try to hold it” is in shadow mode and holds no flag.').waitFor();
    await form.getByText('In shadow mode', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Close' }).click();
    form = await begin('Hold it');
    await form.getByText('This action is not in shadow mode: it releases flags.').waitFor();
    await form.getByRole('switch', { name: 'Shadow mode' }).press(' ');
    await form.getByText('Held flags stay held.').waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.waitFor({ state: 'detached' });
    await signal(server(), live);
    const runs = await server().admin.call('GET /api/admin/action-runs', { query: { limit: '10' } });
    const [release] = runs.json.runs.filter(({ shadow }: { shadow: boolean }) => shadow);
    await page.goto(`/runs/${release.id}`);
    await page.getByText('Would have succeeded').first().waitFor();
    await page.getByText('Would have changed').first().waitFor();
    expect(await page.getByText('Succeeded', { exact: true }).count()).toBe(0);
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });

  it('holds and releases with one action, whose release filters follow those that hold', async () => {
    const place = await givenActionPlace(server());
    const { projectId, flag, endpoint } = place;
    const { projectId: _, ...where } = flag;
    const executionParams = { project: projectId, ...where, effect: 'off' };
    const firing = { 'item.status': { operator: 'IN', values: ['firing'] } };
    const set = await givenSet(
      server(),
      {
        name: 'Hold it',
        match: { source: 'signal-endpoint', sourceId: endpoint.id, payload: firing, forEach: 'alerts' },
        actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }],
      },
      place,
    );
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/actions?edit=${set.id}` });
    const form = page.getByRole('dialog', { name: 'Edit action' });
    await form.getByRole('switch', { name: 'Release held flags with a later signal' }).press(' ');
    const release = form.getByRole('group', { name: 'When it ends' });
    await release.getByText('resolved', { exact: true }).waitFor();
    await expectAccessible(page);
    await release.getByRole('button', { name: 'Remove filter 1' }).click();
    await release.getByText('Add a filter that says when an element means that the alert is over.').waitFor();
    await form.getByRole('button', { name: 'Save action' }).click();
    await release.getByText('Add a filter: without one, every other signal would release.').waitFor();
    await form.getByRole('switch', { name: 'Release held flags with a later signal' }).press(' ');
    await form.getByRole('switch', { name: 'Release held flags with a later signal' }).press(' ');
    await form.getByRole('button', { name: 'Save action' }).click();
    await form.waitFor({ state: 'detached' });
    await signal(server(), place, { alerts: [{ status: 'firing', fingerprint: 'a' }] });
    await signal(server(), place, { alerts: [{ status: 'resolved', fingerprint: 'a' }] });
    await page.goto(`/projects/${projectId}/settings/actions?runsOf=${set.id}`);
    await page.getByText('Hold released').first().waitFor();
    await page.goto(`/projects/${projectId}/settings/actions`);
    await page.getByRole('button', { name: 'Actions for Hold it', exact: true }).click();
    await page.getByRole('menuitem', { name: 'View runs' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'New action that releases it' }).count()).toBe(0);
    expect(complaints()).toEqual([]);
  });

  it('is frozen with a notice on every page, and continues after the freeze ends', async () => {
    const { page } = await open(server(), { at: '/projects/default/settings/actions' });
    await page.getByRole('button', { name: 'Freeze all automation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Freeze all automation?' });
    await dialog.getByLabel('Reason').fill('The alerts are wrong.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Freeze all automation' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'All automation is frozen' });
    await notice.waitFor();
    await page.goto('/history');
    await notice.getByText('The alerts are wrong.').waitFor();
    await expectAccessible(page);
    await notice.getByRole('button', { name: 'Resume automation' }).click();
    await notice.waitFor({ state: 'detached' });
    expect((await server().admin.call('GET /api/admin/automation')).json.frozen).toBe(false);
  });
});
