import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  type ActionPlace,
  givenActionPlace,
  givenSet,
  isOn,
  runsOf,
  signal,
} from '../../apps/server/testing/actions.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, focused, useBrowser } from './browser.ts';

/** Returns the fields of a set that switches on the flag that an element of the payload names. */
function namedByElement(place: ActionPlace) {
  const executionParams = { project: place.projectId, environment: 'development', featureName: '{{item.flag}}' };
  return {
    match: { source: 'signal-endpoint', sourceId: place.endpoint.id, payload: {}, forEach: 'alerts' },
    allow: { flags: [place.flag.featureName] },
    actions: [{ action: 'TOGGLE_FEATURE_ON', sortOrder: 1, executionParams }],
  };
}

/**
 * Creates a set that has run for two elements: the first one names the flag, the second one a flag that the set does
 * not allow.
 */
async function givenRuns(server: TestServer) {
  const place = await givenActionPlace(server);
  const set = await givenSet(server, { name: 'Turn on what is named', ...namedByElement(place) }, place);
  const signalId = await signal(server, set, { alerts: [{ flag: place.flag.featureName }, { flag: 'elsewhere' }] });
  const [failed, done] = await runsOf(server, set);
  return { set, signalId, done: done.id as number, failed: failed.id as number };
}

describe('runs of an action', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const open = useBrowser();

  it('leads from an event to its run and the other changes of the run, and takes the run back', async () => {
    const { set, done, failed } = await givenRuns(server());
    const { featureName } = set.flag;
    const { page, complaints } = await open(server(), { at: `/history?feature=["${featureName}"]` });
    await page.getByRole('button', { name: 'Flag enabled flag' }).click();
    await page.getByRole('link', { name: `run ${done}`, exact: true }).click();
    await page.getByRole('heading', { name: `Run ${done}`, level: 1 }).waitFor();
    await page.waitForURL(`/projects/${set.projectId}/actions/${set.id}/runs/${done}`);
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByText(`featureName: ${featureName}`).waitFor();
    await actions.getByText(`Flag enabled · ${featureName} · development`).waitFor();
    await expectAccessible(page);
    await page
      .getByRole('link', { name: `Run ${failed}` })
      .first()
      .click();
    await page.getByText('The payload names the flag elsewhere, which the action set does not allow.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Take back' }).click();
    const dialog = page.getByRole('dialog', { name: `Take back run ${done}?` });
    await dialog.getByText(`Flag disabled · ${featureName} · development`).waitFor();
    expect(await isOn(server(), set.flag)).toBe(true);
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await page.getByText(`Takes back run ${done}.`).waitFor();
    const { json } = await server().admin.call('GET /api/admin/automation-overrides');
    expect(json.overrides).toMatchObject([{ featureName, reason: `Run ${done} was taken back` }]);
    expect(await isOn(server(), set.flag)).toBe(false);
    await page.getByRole('link', { name: `Flag disabled · ${featureName}` }).click();
    await page
      .getByRole('dialog', { name: /^Event \d+$/ })
      .getByText('Flag disabled')
      .waitFor();
    expect(complaints()).toEqual([]);
  });

  it('shows the runs of a signal, and replays the signal after a preview', async () => {
    const { set, done } = await givenRuns(server());
    const { page, complaints } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: `Actions for ${set.endpoint.name}` }).click();
    await page.getByRole('menuitem', { name: 'View signals' }).click();
    await page.getByRole('link', { name: `Run ${done}` }).waitFor();
    await page.getByRole('button', { name: 'Replay on…' }).click();
    await page.getByRole('menuitem', { name: 'Turn on what is named' }).click();
    const dialog = page.getByRole('dialog', { name: /^Replay signal/ });
    await dialog.getByText('It would run for 2 of 2 elements, and fail for 1.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Replayed').first().waitFor();
    expect((await runsOf(server(), set)).map(({ trigger }: { trigger: string }) => trigger)).toEqual([
      'replay',
      'replay',
      'signal',
      'signal',
    ]);
    expect(complaints()).toEqual([]);
  });
});

describe('action form', () => {
  const server = useServer();
  const open = useBrowser();

  it('creates an action set that runs for each alert, makes a dry run, shows the run of a signal, and takes it back', async () => {
    const { projectId, flag, actorId, endpoint } = await givenActionPlace(server());
    const { featureName } = flag;
    const account = await nameOf(server(), actorId);
    const window = await open(server(), { at: `/projects/${projectId}/settings/actions` });
    const { page } = window;
    await page.getByRole('button', { name: 'New action' }).click();
    const form = page.getByRole('dialog', { name: 'New action' });
    await form.getByLabel('Action name').fill('Turn on what is named');
    await choose(page, form.getByRole('combobox', { name: 'Source' }), endpoint.name);
    await form.getByLabel('For each element of').fill('not a path[');
    await form.getByRole('button', { name: 'Add filter' }).click();
    await form.getByLabel('Parameter').fill('item.status');
    await form.getByRole('combobox', { name: 'Values' }).fill('firing');
    await form.getByRole('combobox', { name: 'Values' }).press('Enter');
    await choose(page, form.getByRole('combobox', { name: 'Service account' }), account);
    await choose(page, form.getByRole('combobox', { name: 'Step 1' }), 'Turn a feature flag on');
    await form.getByRole('combobox', { name: 'Environment', exact: true }).fill('development');
    await form.getByRole('combobox', { name: 'Feature flag', exact: true }).fill('{{item.flag}}');
    await choose(page, form.getByRole('combobox', { name: 'Allowed flags' }), featureName);
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: /^Add guards/ }).click();
    await form.getByLabel('Flags', { exact: true }).fill('5');
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.getByText('Must be a path such as alerts[0].labels.severity.').waitFor();
    // The invalid field may be outside the window, so the form moves the focus to it.
    await focused(form.getByLabel('For each element of'));
    expect(await form.getByLabel('For each element of').inputValue()).toBe('not a path[');
    await form.getByLabel('For each element of').fill('alerts');
    const alerts = [
      { status: 'firing', flag: featureName },
      { status: 'resolved', flag: featureName },
    ];
    await form.getByLabel('Custom payload').fill(JSON.stringify({ alerts }));
    await form.getByRole('button', { name: 'Dry run' }).click();
    await form.getByText('It would run for 1 of 2 elements.').waitFor();
    await form.getByText(`Flag enabled · ${featureName} · development`).waitFor();
    expect(await isOn(server(), flag)).toBe(false);
    expect(await form.getByLabel('Action name').inputValue()).toBe('Turn on what is named');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create action' }).click();
    await form.waitFor({ state: 'detached' });
    await signal(server(), { endpoint }, { alerts });
    expect(await isOn(server(), flag)).toBe(true);
    await page.getByRole('button', { name: 'Actions for Turn on what is named' }).click();
    await page.getByRole('menuitem', { name: 'View runs' }).click();
    await page.getByRole('link', { name: 'Run 1' }).click();
    await page.getByRole('link', { name: `Flag enabled · ${featureName}` }).click();
    await page
      .getByRole('dialog', { name: /^Event/ })
      .getByRole('link', { name: 'run 1' })
      .click();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.getByText('Takes back run 1.').waitFor();
    expect(await isOn(server(), flag)).toBe(false);
    const bad = 'Failed to load resource: the server responded with a status of 400 (Bad Request)';
    // The form asks again when a person is slow to complete a filter.
    expect([...new Set(window.complaints())]).toEqual([bad]);
  });

  it('offers strategies by their description, and accepts a strategy from the payload', async () => {
    const place = await givenActionPlace(server());
    const { projectId, flag } = place;
    const strategies = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies';
    const { json: strategy } = await server().admin.call(strategies, {
      params: { ...flag, environment: 'development' },
      body: { name: 'flexibleRollout', title: 'Pilot', parameters: { rollout: '20', stickiness: 'default' } },
    });
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/actions?make=true` });
    const form = page.getByRole('dialog', { name: 'New action' });
    await choose(page, form.getByRole('combobox', { name: 'Step 1' }), 'Disable a strategy');
    await choose(page, form.getByRole('combobox', { name: 'Environment', exact: true }), 'development');
    await choose(page, form.getByRole('combobox', { name: 'Feature flag', exact: true }), flag.featureName);
    const chosen = form.getByRole('combobox', { name: 'Strategy', exact: true });
    await choose(page, chosen, 'Pilot: 20 % of users');
    expect(await chosen.inputValue()).toBe(strategy.id);
    await form.getByText('Pilot: 20 % of users').first().waitFor();
    await expectAccessible(page);
    await chosen.fill('{{item.strategy}}');
    expect(await chosen.inputValue()).toBe('{{item.strategy}}');
    expect(complaints()).toEqual([]);
  });

  it('shows a backtest, and the saved guards and parameters', async () => {
    const place = await givenActionPlace(server());
    const { projectId } = place;
    const quorum = { signals: 2, tokens: 1, withinSeconds: 60 };
    const set = await givenSet(server(), { ...namedByElement(place), guards: { quorum } }, place);
    await signal(server(), place, { alerts: [{ flag: place.flag.featureName }, { flag: 'elsewhere' }] });
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/actions?edit=${set.id}` });
    const form = page.getByRole('dialog', { name: 'Edit action' });
    const guard = form.getByRole('group', { name: 'Quorum' });
    expect(await guard.getByLabel('Signals').inputValue()).toBe('2');
    await form.getByText('Backtest').click();
    await form.getByRole('button', { name: 'Backtest' }).click();
    await form.getByText('It would have run 2 times on 1 signal.').waitFor();
    await form.getByText('featureName: elsewhere').waitFor();
    await guard.getByLabel('Within seconds').fill('');
    await form.getByRole('button', { name: 'Save action' }).click();
    await guard.getByText('Required.').waitFor();
    await guard.getByLabel('Within seconds').fill('120');
    await form.getByLabel('Only at certain hours').check();
    const hours = form.getByRole('group', { name: 'Hours' });
    await hours.getByText('Mon', { exact: true }).click();
    await hours.getByLabel('To').fill('22:30');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save action' }).click();
    await form.waitFor({ state: 'detached' });
    const saved = await server().admin.call('GET /api/admin/projects/:projectId/actions', { params: { projectId } });
    expect(saved.json.actions).toMatchObject([
      {
        ...namedByElement(place),
        guards: {
          quorum: { ...quorum, withinSeconds: 120 },
          hours: { days: ['tue', 'wed', 'thu', 'fri'], from: '09:00', to: '22:30' },
        },
      },
    ]);
    expect(complaints()).toEqual([]);
  });
});

/** Opens a list and chooses an option. */
async function choose(page: Page, field: Locator, option: string) {
  await field.click();
  await page.getByRole('option', { name: option }).click();
}

async function nameOf(server: TestServer, id: number): Promise<string> {
  const { json } = await server.admin.call('GET /api/admin/service-account');
  const found = json.serviceAccounts.find((account: { id: number }) => account.id === id);
  return found.name || found.username;
}
