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
import { expectAccessible, logIn, useBrowser } from './browser.ts';

/** What an action is told that turns on the flag that an element names. */
function namedByElement(place: ActionPlace) {
  const executionParams = { project: place.projectId, environment: 'development', featureName: '{{item.flag}}' };
  return {
    match: { source: 'signal-endpoint', sourceId: place.endpoint.id, payload: {}, forEach: 'alerts' },
    allow: { flags: [place.flag.featureName] },
    actions: [{ action: 'TOGGLE_FEATURE_ON', sortOrder: 1, executionParams }],
  };
}

/** A set that has run for two elements: the first names its flag, the other one that it may not name. */
async function givenRuns(server: TestServer) {
  const place = await givenActionPlace(server);
  const set = await givenSet(server, { name: 'Turn on what is named', ...namedByElement(place) }, place);
  const signalId = await signal(server, set, { alerts: [{ flag: place.flag.featureName }, { flag: 'elsewhere' }] });
  const [failed, done] = await runsOf(server, set);
  return { set, signalId, done: done.id as number, failed: failed.id as number };
}

describe('a person who looks into what an action did', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const open = useBrowser();

  it('goes from an event to the run, from there to what else it did, and takes it back', async () => {
    const { set, done, failed } = await givenRuns(server());
    const { featureName } = set.flag;
    const window = await open(server());
    const { page } = window;
    await logIn(window, `/history?feature=["${featureName}"]`);
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
    await page.getByText('The payload names the flag elsewhere, which is not among those allowed.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Take back' }).click();
    const dialog = page.getByRole('dialog', { name: `Take back run ${done}?` });
    await dialog.getByText(`Flag disabled · ${featureName} · development`).waitFor();
    expect(await isOn(server(), set.flag)).toBe(true);
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await page.getByText(`It takes back run ${done}.`).waitFor();
    expect(await isOn(server(), set.flag)).toBe(false);
    await page.getByRole('link', { name: `Flag disabled · ${featureName}` }).click();
    await page
      .getByRole('dialog', { name: /^Event \d+$/ })
      .getByText('Flag disabled')
      .waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('sees at a signal what it has set off, and replays it after seeing what that would do', async () => {
    const { set, done } = await givenRuns(server());
    const window = await open(server());
    const { page } = window;
    await logIn(window, '/integrations/signals');
    await page.getByRole('button', { name: set.endpoint.name, exact: true }).click();
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
    expect(window.complaints()).toEqual([]);
  });
});
