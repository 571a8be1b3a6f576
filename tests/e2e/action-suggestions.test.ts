import { describe, expect, it } from 'vitest';
import { givenSet, signal, turning } from '../../apps/server/testing/actions.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('action suggestions and run filters', () => {
  const server = useServer();
  const open = useBrowser();

  it('suggests payload paths of the latest signals, also when the newest signal is empty', async () => {
    const set = await givenSet(server(), { name: 'Suggests' });
    for (const payload of [{ labels: { flag: 'checkout' } }, { status: 'firing' }, {}])
      await signal(server(), set, payload);
    const { page } = await open(server(), { at: `/projects/${set.projectId}/settings/actions?edit=${set.id}` });
    const form = page.getByRole('dialog', { name: 'Edit action' });
    await form.getByRole('button', { name: 'Add filter' }).click();
    await form.getByRole('combobox', { name: 'Parameter' }).click();
    // The signals, from which the paths come, may arrive after the list was opened.
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['status', 'labels.flag']);
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Feature flag: insert a payload value' }).click();
    await page.getByRole('menuitem', { name: '{{labels.flag}}' }).waitFor();
  });

  it('filters runs by failure and keeps the filter in the URL', async () => {
    const set = await givenSet(server(), { name: 'Fails at times' });
    const { projectId, flag } = set;
    const action = turning('ON', projectId, flag.featureName);
    const executionParams = { ...action.executionParams, featureName: '{{flag}}' };
    const failing = await givenSet(
      server(),
      {
        name: 'Needs a name',
        actions: [{ ...action, executionParams }],
        allow: { flags: ['*'], tags: [], environments: [] },
      },
      set,
    );
    await signal(server(), set, { flag: flag.featureName });
    await signal(server(), set, {});
    const { page, complaints } = await open(server(), {
      at: `/projects/${projectId}/settings/actions?runsOf=${failing.id}`,
    });
    const runs = page.getByRole('dialog', { name: 'Runs: Needs a name' });
    await expect.poll(() => runs.getByRole('link', { name: /^Run / }).count()).toBe(2);
    await runs.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await expect.poll(() => runs.getByRole('link', { name: /^Run / }).count()).toBe(1);
    await runs.getByText('The payload has no text at flag.').waitFor();
    await expectAccessible(page);
    await page.reload();
    await runs.getByText('The payload has no text at flag.').waitFor();
    expect(await runs.getByRole('link', { name: /^Run / }).count()).toBe(1);
    await page.goto(`/projects/${projectId}/settings/actions?runsOf=${failing.id}&state=skipped`);
    await runs.getByText('No runs match').waitFor();
    expect(complaints()).toEqual([]);
  });
});
