import { describe, expect, it } from 'vitest';
import { addStrategy, freshName, givenArchived, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const flag = 'GET /api/admin/projects/:projectId/features/:featureName' as const;

describe('flag lifecycle', () => {
  const server = useServer();
  const open = useBrowser();

  it('clones a flag with its strategies, disabled in all environments', async () => {
    const params = { ...(await givenFlag(server())), environment: 'development' };
    await addStrategy(server(), params, { name: 'flexibleRollout', title: 'Half', parameters: { rollout: '50' } });
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${params.featureName}` });
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Clone' }).click();
    const name = page.getByLabel('Name of the clone');
    expect(await name.inputValue()).toBe(`${params.featureName}-copy`);
    await name.fill(params.featureName);
    await page.getByText(`A flag named ${params.featureName} exists already.`).waitFor();
    await expectAccessible(page);
    // Discards the console messages: the browser logs the refused request.
    complaints();
    const cloned = freshName('cloned');
    await name.fill(cloned);
    await page.getByRole('button', { name: 'Clone flag' }).click();
    await page.getByRole('heading', { name: cloned, level: 1 }).waitFor();
    await page.getByText('50 % of users').waitFor();
    const { json } = await server().admin.call(flag, { params: { projectId: 'default', featureName: cloned } });
    const there = json.environments.find(
      ({ name: environmentName }: { name: string }) => environmentName === 'development',
    );
    expect(there).toMatchObject({ enabled: false, strategies: [{ title: 'Half' }] });
    expect(there.strategies[0].parameters.groupId).toBe(cloned);
    expect(complaints()).toEqual([]);
  });

  it('revives archived flags, and deletes others permanently after a typed confirmation', async () => {
    const projectId = await givenProject(server());
    const given = await Promise.all([1, 2, 3, 4].map(() => givenArchived(server(), projectId)));
    const [revived = '', alone = '', ...together] = given.map(({ featureName }) => featureName);
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/features/${revived}` });
    await page.getByRole('button', { name: 'Revive' }).click();
    // The page of an archived flag has the switch, too. Leaving it before the answer would cancel the request.
    await page.getByText('This flag is archived').waitFor({ state: 'detached' });
    await page.goto(`/projects/${projectId}/archive`);
    await page.getByText('3 archived flags').waitFor();
    const chosen = page.getByRole('region', { name: 'Selected flags' });
    await page.getByRole('checkbox', { name: `Select ${alone}` }).check();
    await chosen.getByRole('button', { name: 'Delete' }).click();
    const confirm = page.getByRole('button', { name: 'Delete permanently' });
    const typed = page.getByLabel(`Type ${alone} to confirm`);
    await typed.fill('something else');
    expect(await confirm.isDisabled()).toBe(true);
    await expectAccessible(page);
    await typed.fill(alone);
    await confirm.click();
    await page.getByText('2 archived flags').waitFor();
    await page.getByRole('checkbox', { name: 'Select all matching flags' }).check();
    await page.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await chosen.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Type delete 2 flags to confirm').fill('delete 2 flags');
    await confirm.click();
    // The notice comes before the list is loaded again, and disappears after four seconds.
    await page.getByText('2 flags are deleted.').waitFor();
    await page.getByText('No archived flags').waitFor();
    expect(await statusesOf(server(), projectId, [revived, alone, ...together])).toEqual([200, 404, 404, 404]);

    expect(complaints()).toEqual([]);
  });

  it('leaves the page of a flag that it deletes, also when the event comes before the answer', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenArchived(server(), projectId);
    const window = await open(server(), { at: `/projects/${projectId}/features/${featureName}` });
    const { page } = window;
    await page.route(`**/api/admin/projects/${projectId}/delete`, async (route) => {
      await page.evaluate(followActivity);
      const response = await route.fetch();
      await page.evaluate('window.eventCame');
      await settled(window, 1);
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByLabel(`Type ${featureName} to confirm`).fill(featureName);
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: projectId, level: 1 }).waitFor();
    expect(await statusesOf(server(), projectId, [featureName])).toEqual([404]);
    expect(window.complaints()).toEqual([]);
  });
});

/**
 * A script that follows the activity stream until its second message, at which `window.eventCame` resolves. The first
 * message has the present numbers.
 */
const followActivity = `new Promise((opened) => {
  const source = new EventSource('/api/admin/activity');
  source.addEventListener('message', () => {
    window.eventCame = new Promise((came) => source.addEventListener('message', came, { once: true })).then(() => source.close());
    opened();
  }, { once: true });
})`;

async function statusesOf(server: TestServer, projectId: string, names: readonly string[]): Promise<number[]> {
  const read = (featureName: string) => server.admin.call(flag, { params: { projectId, featureName } });
  return (await Promise.all(names.map(read))).map(({ status }) => status);
}
