import { describe, expect, it } from 'vitest';
import { givenActionPlace, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { givenPlan } from '../../apps/server/testing/release-plans.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

/** Creates a flag that an action held for one signal and released for a later one. */
async function givenHeldOnce() {
  const place = await givenActionPlace(server());
  const { projectId: project, endpoint, flag } = place;
  const when = (status: string) => ({ status: { operator: 'IN', values: [status] } });
  const match = {
    source: 'signal-endpoint',
    sourceId: endpoint.id,
    payload: when('firing'),
    release: when('resolved'),
  };
  const { featureName, environment } = flag;
  const executionParams = { project, featureName, environment, effect: 'off', reason: '{{name}} fires' };
  const actions = [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }];
  await givenSet(server(), { name: 'Hold on errors', match, actions }, place);
  server().clock.advance(60_000);
  const signalId = await signal(server(), place, { status: 'firing', name: 'HighErrorRate' });
  server().clock.advance(10 * 60_000);
  await signal(server(), place, { status: 'resolved', name: 'HighErrorRate' });
  server().clock.advance(10 * 60_000);
  return { flag, signalId };
}

describe.each([1280, 380])('the rehearsal of a release plan, in a window %s px wide', (width) => {
  it('shows when the plan would have been halted, and by which signal', async () => {
    const { flag, signalId } = await givenHeldOnce();
    await givenPlan(server(), undefined, flag);
    const { page, complaints } = await open(server(), {
      at: `/projects/${flag.projectId}/features/${flag.featureName}`,
      width,
    });
    const plan = page.getByRole('region', { name: 'Release plan' });
    await plan.getByRole('button', { name: 'Rehearse' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rehearse the plan in development' });
    await dialog.getByRole('button', { name: 'Rehearse' }).click();
    const result = dialog.getByRole('status', { name: 'Rehearsal' });
    await result.getByText('The action “Hold on errors” holds the flag: HighErrorRate fires.').waitFor();
    await result.getByText('100 % starts anew').waitFor();
    await expectAccessible(page);
    const link = result.getByRole('link', { name: `Signal ${signalId}` });
    expect(await link.getAttribute('href')).toBe(`/history?received=${signalId}`);
    expect(complaints()).toEqual([]);
  });

  it('is there for a plan that is not added yet, and changes nothing', async () => {
    const flag = await givenEnabled(server());
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${flag.featureName}`, width });
    await page.getByRole('region', { name: 'development' }).getByRole('button', { name: 'Release gradually' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rehearse on past signals' }).click();
    await dialog.getByRole('combobox', { name: 'Rehearse on the' }).click();
    await page.getByRole('option', { name: 'last 6 hours' }).click();
    await dialog.getByRole('button', { name: 'Rehearse', exact: true }).click();
    const result = dialog.getByRole('status', { name: 'Rehearsal' });
    await result.getByText('It would be at 100 % now: the last milestone has started.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Release gradually' }).first().waitFor();
    expect(complaints()).toEqual([]);
  });
});
