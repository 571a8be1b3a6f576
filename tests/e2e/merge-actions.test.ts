import { describe, expect, it } from 'vitest';
import { givenPair } from '../../apps/server/src/features/automation/actions/merge.scenarios.ts';
import { expecting, givenActionPlace } from '../../apps/server/testing/actions.ts';
import { givenFlagIn } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

describe('actions of a project', () => {
  it('are merged where one holds and the other releases, with a preview', async () => {
    const { holding } = await givenPair(server());
    const { page, complaints } = await open(server(), {
      at: `/projects/${holding.projectId}/settings/actions`,
      width: 390,
    });
    await page.getByText('“Hold off” holds, “Release” releases.').waitFor();
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge “Release” into “Hold off”?' });
    await dialog.getByText('Hold when item.status is firing').waitFor();
    await dialog.getByText('Release when item.status is resolved').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Merge actions' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Two actions can become one').waitFor({ state: 'detached' });
    // The list of actions is another request, whose answer may come after that of the pairs.
    await expect.poll(() => page.getByRole('switch', { name: 'Release is enabled' }).isChecked()).toBe(false);
    expect(complaints()).toEqual([]);
  });

  it('are no longer offered to be merged once one of them is deleted', async () => {
    const { holding } = await givenPair(server());
    const { page, complaints } = await open(server(), { at: `/projects/${holding.projectId}/settings/actions` });
    await page.getByText('“Hold off” holds, “Release” releases.').waitFor();
    await page.getByRole('button', { name: 'Actions for Release' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Delete action' }).click();
    await page.getByRole('switch', { name: 'Release is enabled' }).waitFor({ state: 'detached' });
    await page.getByText('Two actions can become one').waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
  });

  it('are not merged where the two differ, and the page says in what', async () => {
    const { holding } = await givenPair(server(), { releasing: { shadow: true } });
    const { page } = await open(server(), { at: `/projects/${holding.projectId}/settings/actions` });
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('“Hold off” is not in shadow mode, “Release” is in shadow mode.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Merge actions' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  /** Opens the form of a new action on a phone. */
  async function openForm(projectId: string) {
    const window = await open(server(), { at: `/projects/${projectId}/settings/actions`, width: 390 });
    const { page } = window;
    await page.getByRole('button', { name: 'New action' }).click();
    const form = page.getByRole('dialog', { name: 'New action' });
    const choose = async (label: string, option: string) => {
      await form.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    return { window, page, form, choose };
  }

  it('are made from a template, one question after the other', async () => {
    const place = await givenActionPlace(server());
    await givenFlagIn(server(), 'development', place.projectId);
    const { id, name } = place.endpoint;
    const body = { name, source: 'alertmanager' } as const;
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
    const { window, page, form, choose } = await openForm(place.projectId);
    await choose('Source', name);
    await choose('Start from a template', 'Hold a flag at 10 % while an alert fires');
    expect(await form.getByLabel('Action name').inputValue()).toBe('Hold a flag at 10 % while an alert fires');
    expect(await form.getByLabel('For each element of').inputValue()).toBe('normalized.elements');
    expect(await form.getByLabel('Percentage, if held at a percentage', { exact: true }).inputValue()).toBe('10');
    await form.getByText('At a percentage', { exact: true }).waitFor();
    expect(await form.getByLabel('Release held flags with a later signal').isChecked()).toBe(true);
    const questions = await form.locator('fieldset > legend').allTextContents();
    expect(questions).toEqual([
      'Which sender',
      'Which alert',
      'What happens to which flag',
      'When it ends',
      'Name and account',
      'Advanced',
      'Test',
    ]);
    await expectAccessible(page);
    await choose('Environment', 'development');
    await choose('Feature flag', place.flag.featureName);
    await form.getByRole('combobox', { name: 'Service account' }).click();
    await page.getByRole('option').last().click();
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Hold a flag at 10 % while an alert fires', exact: true }).waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('are made for a silent endpoint from a template, which is refused until the endpoint expects signals', async () => {
    const place = await givenActionPlace(server());
    const { window, page, form, choose } = await openForm(place.projectId);
    const title = 'Watchdog silent: hold a flag off while no signal arrives';
    await choose('Source', place.endpoint.name);
    await choose('Start from a template', title);
    expect(await form.getByLabel('No signal arrives in the expected time').isChecked()).toBe(true);
    await form.getByText(`${place.endpoint.name} expects no signals`).waitFor();
    expect(await form.getByLabel('For each element of').count()).toBe(0);
    expect(await form.getByLabel('Release held flags when signals arrive again').isChecked()).toBe(true);
    await expectAccessible(page);
    await choose('Environment', 'development');
    await choose('Feature flag', place.flag.featureName);
    await form.getByRole('combobox', { name: 'Service account' }).click();
    await page.getByRole('option').last().click();
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.getByText(/^Needs an endpoint that expects signals: set the minutes of /).waitFor();
    await expecting(server(), place);
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: title, exact: true }).waitFor();
    await page.getByText('No signal arrives for 5 minutes').first().waitFor();
    expect(window.complaints()).toEqual([expect.stringMatching(/400/)]);
  });
});
