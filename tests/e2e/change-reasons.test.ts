import { describe, expect, it } from 'vitest';
import { addStrategy, givenEnabled, givenFlagIn, givenProject } from '../../apps/server/testing/flags.ts';
import { eventsAfter, lastEventId } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

/** The browser logs the 400 of the change without a reason. */
const refused = /status of 400/;

describe('reasons of changes', () => {
  const server = useServer();
  const open = useBrowser();

  const givenRule = (projectId: string, pattern: string | null) =>
    server().admin.call('PUT /api/admin/projects/:projectId/settings', {
      params: { projectId },
      body: { changeReason: { required: true, pattern } },
    });

  it('can be required in the project settings', async () => {
    const projectId = await givenProject(server());
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings` });
    await page.getByRole('switch', { name: 'Require a reason for changes of flags' }).press(' ');
    const pattern = page.getByRole('textbox', { name: 'Reason must contain' });
    await pattern.fill('(?=a)');
    await page.getByRole('button', { name: 'Save change reasons' }).click();
    await page.getByText('is not a valid RE2 regular expression').waitFor();
    await expectAccessible(page);
    await pattern.fill('SHOP-\\d+');
    await page.getByRole('button', { name: 'Save change reasons' }).click();
    await page.getByText('Change reasons saved').waitFor();
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/overview', {
      params: { projectId },
    });
    expect(json.changeReason).toEqual({ required: true, pattern: 'SHOP-\\d+' });
    expect(complaints().filter((complaint) => !refused.test(complaint))).toEqual([]);
  });

  it('are asked for by a dialog where the project requires them, until one matches', async () => {
    const projectId = await givenProject(server());
    const params = await givenFlagIn(server(), 'development', projectId);
    await addStrategy(server(), params, { name: 'default' });
    await givenRule(projectId, 'SHOP-\\d+');
    const before = await lastEventId(server());
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/features/${params.featureName}` });
    await page.getByRole('switch', { name: `${params.featureName} in development` }).press(' ');
    const reason = page.getByRole('textbox', { name: 'Reason' });
    await reason.fill('Launch');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the change' }).click();
    await page.getByText('X-Change-Reason must match the pattern').waitFor();
    await reason.fill('Launch, SHOP-17');
    await page.getByRole('button', { name: 'Make the change' }).click();
    await page.getByText(`${params.featureName} is on in development.`).waitFor();
    const events = await eventsAfter(server(), before);
    expect(events.filter(({ project }) => project === projectId)).toMatchObject([
      { type: 'feature-environment-enabled', reason: 'Launch, SHOP-17' },
    ]);
    expect(complaints().filter((complaint) => !refused.test(complaint))).toEqual([]);
  });

  it('can be added to a switch without delaying it, and are found in the event log', async () => {
    const params = await givenFlagIn(server(), 'development', await givenProject(server()));
    await addStrategy(server(), params, { name: 'default' });
    const before = await lastEventId(server());
    const { page, complaints } = await open(server(), {
      at: `/projects/${params.projectId}/features/${params.featureName}`,
    });
    const card = page.getByRole('region', { name: 'development' });
    const flag = page.getByRole('switch', { name: `${params.featureName} in development` });
    await card.getByRole('button', { name: 'Add a reason' }).click();
    await card.getByRole('textbox', { name: 'Reason for the next change' }).fill('INC-4711 rolled back');
    await expectAccessible(page);
    await flag.press(' ');
    await page.getByText(`${params.featureName} is on in development.`).waitFor();
    // The reason was for one change only, so the field is closed again.
    await card.getByRole('button', { name: 'Add a reason' }).waitFor();
    await flag.press(' ');
    await page.getByText(`${params.featureName} is off in development.`).waitFor();
    const switches = (await eventsAfter(server(), before)).filter(({ type }) => type.startsWith('feature-environment'));
    expect(switches).toMatchObject([{ reason: 'INC-4711 rolled back' }, { reason: null }]);
    await page.goto('/history');
    const off = page.getByRole('button', { name: `Flag disabled ${params.featureName}`, expanded: false });
    await off.waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('searchbox', { name: 'Reason contains' }).fill('inc-4711');
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    await off.waitFor({ state: 'detached' });
    await expectAccessible(page);
    expect(page.url()).toContain('reason=inc-4711');
    expect(complaints()).toEqual([]);
  });

  it('can be added to the switch of several flags', async () => {
    const params = await givenFlagIn(server(), 'development', await givenProject(server()));
    await addStrategy(server(), params, { name: 'default' });
    const before = await lastEventId(server());
    const { page } = await open(server(), { at: `/projects/${params.projectId}` });
    await page.getByRole('checkbox', { name: `Select ${params.featureName}` }).check();
    await page.getByRole('button', { name: 'Add a reason' }).click();
    await page.getByRole('textbox', { name: 'Reason for the next change' }).fill('Launch');
    await page.getByRole('button', { name: 'Mark stale' }).click();
    await page.getByText('1 flag is changed.').waitFor();
    await page.getByRole('region', { name: 'Selected flags' }).waitFor({ state: 'detached' });
    expect(await eventsAfter(server(), before)).toContainEqual(
      expect.objectContaining({ type: 'feature-stale-on', reason: 'Launch' }),
    );
    // The reason was for one change only: the next selection starts without one.
    await page.getByRole('checkbox', { name: `Select ${params.featureName}` }).check();
    await page.getByRole('button', { name: 'Add a reason' }).waitFor();
  });

  it('can be given when a flag is archived, and are shown with the origin in the event', async () => {
    const params = await givenEnabled(server(), await givenProject(server()));
    const { page, complaints } = await open(server(), {
      at: `/projects/${params.projectId}/features/${params.featureName}`,
    });
    await page
      .getByRole('button', { name: /^More actions|^Actions/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Replaced by the new basket');
    await page.getByRole('button', { name: 'Archive flag' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).waitFor({ state: 'detached' });
    const id = await lastEventId(server());
    await page.goto(`/history?event=${id}`);
    await page.getByText('Replaced by the new basket').waitFor();
    await page.getByText(/^Session \d+$/).waitFor();
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });
});
