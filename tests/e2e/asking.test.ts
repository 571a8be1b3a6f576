import { describe, expect, it } from 'vitest';
import { addStrategy, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, focused, logIn, pressUntil, settled, useBrowser } from './browser.ts';

const requests = 'GET /api/admin/projects/:projectId/change-requests' as const;
const ask = 'Add to draft change request';

describe('change requests in a project where production is reviewed', () => {
  const server = useServer();
  const open = useBrowser();
  const given = () =>
    givenProject(server(), { changeRequestEnvironments: [{ name: 'production', requiredApprovals: 1 }] });
  const listRequests = async (projectId: string) => {
    const { json } = await server().admin.call(requests, { params: { projectId } });
    return json;
  };

  it('collect archiving and switching of several flags, and a dependency', async () => {
    const projectId = await given();
    for (const name of ['ask-a', 'ask-b', 'ask-parent']) await givenFlag(server(), { name }, projectId);
    const window = await open(server());
    const { page } = window;
    // The review settings come after the choice, which waits for them.
    const { promise: chosen, resolve: choose } = Promise.withResolvers<void>();
    await page.route('**/change-requests/config', (route) => chosen.then(() => route.continue()));
    await logIn(window, `/projects/${projectId}`);
    await page.getByRole('checkbox', { name: 'Select ask-a' }).check();
    await page.getByRole('checkbox', { name: 'Select ask-b' }).check();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('menuitem', { name: 'Enable in production' }).click();
    choose();
    await page.getByText('Switching 2 flags on').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: ask }).click();
    await page.getByText('Added to your draft').first().waitFor();
    const selected = page.getByRole('region', { name: 'Selected flags' });
    await selected.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select ask-b' }).check();
    await selected.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Archive flag without review' }).waitFor();
    await page.getByRole('button', { name: ask }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'ask-a' }).click();
    await page.getByRole('button', { name: 'Add a dependency' }).click();
    await page.getByRole('combobox', { name: 'Parent flag' }).click();
    await page.getByRole('option', { name: 'ask-parent' }).click();
    await page.getByRole('button', { name: ask }).click();
    await page.getByText('Edit the dependency').waitFor();
    await page.getByRole('link', { name: /View change request/ }).click();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('Waiting for approval by another person').waitFor();
    const [request] = await listRequests(projectId);
    const changes = request.features.flatMap(({ name, changes }: { name: string; changes: { action: string }[] }) =>
      changes.map(({ action }) => `${action} ${name}`),
    );
    expect(changes.toSorted()).toEqual([
      'addDependency ask-a',
      'archiveFeature ask-b',
      'updateEnabled ask-a',
      'updateEnabled ask-b',
    ]);
    expect(window.complaints()).toEqual([]);
  });

  it('are discarded from the page of a flag only after a confirmation, because they may have changes of other flags', async () => {
    const projectId = await given();
    const { featureName } = await givenFlag(server(), {}, projectId);
    const window = await open(server(), { at: `/projects/${projectId}/features/${featureName}` });
    const { page } = window;
    await page.getByRole('switch', { name: `${featureName} in production` }).press(' ');
    await page.getByRole('button', { name: ask }).click();
    const discard = page.getByRole('tabpanel').getByRole('button', { name: 'Discard draft' });
    await discard.click();
    const dialog = page.getByRole('dialog', { name: 'Discard the draft?' });
    await dialog.getByText('Its changes will be lost.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await focused(discard);
    await page.reload();
    await discard.click();
    await dialog.getByRole('button', { name: 'Discard draft' }).click();
    await discard.waitFor({ state: 'detached' });
    await page.reload();
    await settled(window);
    expect(await discard.count()).toBe(0);
    expect(window.complaints()).toEqual([]);
  });

  it('keep the focus on a switch when the review settings arrive while its key is down', async () => {
    const projectId = await given();
    const { featureName } = await givenFlag(server(), {}, projectId);
    const window = await open(server());
    const { page } = window;
    const settings = Promise.withResolvers<void>();
    await page.route(`**/api/admin/projects/${projectId}/change-requests/config`, async (route) => {
      await settings.promise;
      await route.continue();
    });
    await logIn(window, `/projects/${projectId}/features/${featureName}`);
    const control = page.getByRole('switch', { name: `${featureName} in production` });
    await control.focus();
    await page.keyboard.down(' ');
    settings.resolve();
    await settled(window);
    await focused(control);
    await page.keyboard.up(' ');
    await page.getByRole('button', { name: ask }).waitFor();
  });

  it('let the author edit a requested strategy and remove a change', async () => {
    const projectId = await given();
    const { featureName } = await givenFlag(server(), {}, projectId);
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/features/${featureName}` });
    await page.getByRole('switch', { name: `${featureName} in production` }).press(' ');
    await page.getByRole('button', { name: ask }).click();
    await page.getByRole('region', { name: 'production' }).getByRole('link', { name: 'Add strategy' }).click();
    await page.getByLabel('Title').fill('First words');
    await page.getByRole('button', { name: ask }).click();
    await page.getByRole('link', { name: /View change request/ }).click();
    await page.getByRole('link', { name: 'Edit the change' }).click();
    await page.getByRole('heading', { name: 'Edit the change', level: 1 }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('First words');
    await page.getByRole('textbox', { name: 'Rollout', exact: true }).fill('25');
    await page.getByLabel('Title').fill('Second words');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save change' }).click();
    await page.getByText('Second words').first().waitFor();
    await page.getByRole('button', { name: 'Remove this change from the request' }).first().click();
    await page.getByRole('button', { name: 'Remove change' }).click();
    await page.getByText('Switch the flag on or off').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('Waiting for approval by another person').waitFor();
    const [request] = await listRequests(projectId);
    expect(request.features[0].changes).toMatchObject([
      { action: 'addStrategy', payload: { title: 'Second words', parameters: { rollout: '25' } } },
    ]);
    expect(complaints()).toEqual([]);
  });

  it('let the author edit each kind of change in its form, and are deleted with their last change', async () => {
    const projectId = await given();
    const { admin } = server();
    const params = { projectId, environment: 'production' };
    for (const name of ['edit-me', 'edit-parent', 'edit-other-parent']) await givenFlag(server(), { name }, projectId);
    const feature = 'edit-me';
    const ids = [];
    for (const title of ['one', 'two'])
      ids.push(await addStrategy(server(), { ...params, featureName: feature }, { name: 'default', title }));
    const segment = await admin.call('POST /api/admin/segments', {
      body: { name: 'edit-segment', project: projectId, constraints: [] },
    });
    const { page, complaints } = await open(server(), { at: '/' });
    // Sent with the session of the page: the same user edits the request below.
    const made = await page.request.post(`/api/admin/projects/${projectId}/environments/production/change-requests`, {
      data: [
        { action: 'updateEnabled', feature, payload: { enabled: true } },
        { action: 'reorderStrategy', feature, payload: ids.toReversed().map((id, sortOrder) => ({ id, sortOrder })) },
        {
          action: 'patchVariant',
          feature,
          payload: { variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }] },
        },
        { action: 'addDependency', feature, payload: { feature: 'edit-parent' } },
        { action: 'updateSegment', payload: { id: segment.json.id, name: 'edit-segment', constraints: [] } },
      ],
    });
    const address = `/api/admin/projects/${projectId}/change-requests/${(await made.json()).id}`;
    await page.goto(address.replace('/api/admin', ''));
    const edit = async (words: string) => {
      await page.getByRole('group', { name: words }).getByLabel('Edit the change').click();
    };
    const save = async () => {
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save change' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Next steps' }).waitFor();
    };
    await edit('Switch the flag on or off');
    await page.getByRole('switch', { name: `${feature} is on in production` }).press(' ');
    await save();
    await edit('Reorder the strategies');
    await page.getByRole('button', { name: 'Move two' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('two is at place 1 of 2').waitFor({ state: 'attached' });
    await pressUntil(page, 'ArrowDown', 'two is at place 2 of 2');
    await page.keyboard.press('Space');
    await page.getByText('two was put').waitFor({ state: 'attached' });
    await save();
    await edit('Edit the variants');
    await page.getByRole('heading', { name: 'Edit the change', level: 1 }).waitFor();
    await page.getByLabel('Variant name').fill('green');
    await save();
    await edit('Edit the dependency');
    await page.getByRole('combobox', { name: 'Parent flag' }).click();
    await page.getByRole('option', { name: 'edit-other-parent' }).click();
    await save();
    await edit('Edit the segment');
    await page.getByLabel('Description').fill('Those who asked for it');
    await save();
    const request = await (await page.request.get(address)).json();
    expect(request.features[0].changes).toMatchObject([
      { action: 'updateEnabled', payload: { enabled: false } },
      { action: 'reorderStrategy', payload: ids.map((id, sortOrder) => ({ id, sortOrder })) },
      { action: 'patchVariant', payload: { variants: [{ name: 'green' }] } },
      { action: 'addDependency', payload: { feature: 'edit-other-parent' } },
    ]);
    expect(request.segments).toMatchObject([{ payload: { description: 'Those who asked for it' } }]);

    const takeOut = page.getByRole('button', { name: 'Remove this change from the request' });
    for (let left = 5; left > 1; left -= 1) {
      await takeOut.first().click();
      await page.getByRole('button', { name: 'Remove change' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => takeOut.count()).toBe(left - 1);
    }
    await takeOut.click();
    await page.getByText('This is the only change').waitFor();
    await page.getByRole('button', { name: 'Remove change and delete request' }).click();
    await page.getByText('No change requests').waitFor();
    expect((await page.request.get(address)).status()).toBe(404);
    // The page may fetch the deleted change request once more (404), if it hears of the deletion before it is left.
    expect(complaints().filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('collect the change of one segment and the deletion of another', async () => {
    const projectId = await given();
    for (const name of ['beta-testers', 'nobody-any-more'])
      await server().admin.call('POST /api/admin/segments', {
        body: { name: `${name}-${projectId}`, project: projectId, constraints: [] },
      });
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/segments` });
    await page.getByRole('button', { name: `Actions for beta-testers-${projectId}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Save segment without review' }).waitFor();
    await page.getByLabel('Description').fill('Those who asked for it');
    await page.getByRole('button', { name: ask }).click();
    await page.getByText('Added to your draft').waitFor();
    await page.getByRole('button', { name: `Actions for nobody-any-more-${projectId}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: ask }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`/projects/${projectId}/change-requests`);
    await page.getByRole('link', { name: /Change request #/ }).click();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('Waiting for approval by another person').waitFor();
    const [request] = await listRequests(projectId);
    expect(request.segments.map(({ action }: { action: string }) => action)).toEqual([
      'updateSegment',
      'deleteSegment',
    ]);
    expect(complaints()).toEqual([]);
  });
});
