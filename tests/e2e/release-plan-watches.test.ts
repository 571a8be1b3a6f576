import { describe, expect, it } from 'vitest';
import { givenActionPlace, signal } from '../../apps/server/testing/actions.ts';
import { givenPlan, passMinutes } from '../../apps/server/testing/release-plans.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();
const turnOn = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
const title = 'Hold a flag at the milestone before while an alert fires';

describe.each([1280, 380])('the alerts that halt a plan, in a window %s px wide', (width) => {
  it('are added from the plan, and hold the flag at the milestone before', async () => {
    const place = await givenActionPlace(server());
    const { endpoint, flag, projectId } = place;
    const body = { name: endpoint.name, source: 'alertmanager' } as const;
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id: endpoint.id }, body });
    await server().admin.call(turnOn, { params: flag });
    await givenPlan(server(), undefined, flag);
    await passMinutes(server(), 60);
    const window = await open(server(), { width });
    const { page } = window;
    const path = `/projects/${projectId}/features/${flag.featureName}`;
    await logIn(window, path);
    const plan = page.getByRole('region', { name: flag.environment }).getByRole('region', { name: 'Release plan' });
    await plan.getByRole('button', { name: 'Halt when an alert fires' }).click();
    const form = page.getByRole('dialog', { name: 'New action' });
    const choose = async (label: string, option: string) => {
      await form.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Source', endpoint.name);
    await choose('Start from a template', title);
    expect(await form.getByRole('combobox', { name: 'Feature flag' }).inputValue()).toBe(flag.featureName);
    expect(await form.getByRole('combobox', { name: 'Environment' }).inputValue()).toBe(flag.environment);
    expect(await form.getByRole('combobox', { name: 'Hold it' }).inputValue()).toBe('milestone');
    await expectAccessible(page);
    await form.getByRole('combobox', { name: 'Service account' }).click();
    await page.getByRole('option').last().click();
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.waitFor({ state: 'detached' });

    await page.goto(`${server().url}${path}`);
    await plan.getByText(`${title} halts the plan: the flag is held at the milestone before`).waitFor();
    const alerts = [{ status: 'firing', labels: { alertname: 'HighLatency' }, fingerprint: 'a' }];
    await signal(server(), place, { version: '4', status: 'firing', alerts });
    await plan.getByText('Halted by a hold').waitFor();
    await page
      .getByText(/held at the milestone 10 % by/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.goto(`${server().url}/now`);
    await page
      .getByText(/at the milestone 10 %/)
      .first()
      .waitFor();
    expect(window.complaints()).toEqual([]);
  });
});
