import { describe, expect, it } from 'vitest';
import { freshName, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, pressUntil, useBrowser } from './browser.ts';

describe('creating a flag', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows while typing that a name is taken, creates the flag, and switches it on and off', async () => {
    const { featureName: taken } = await givenFlag(server());
    const { page, complaints } = await open(server(), { at: '/projects/default' });
    await page.getByRole('link', { name: 'New feature flag' }).click();
    await page.getByLabel('Name').fill(taken);
    await page.getByText(`A flag named ${taken} exists already.`).waitFor();
    const name = freshName('made');
    await page.getByLabel('Name').fill(name);
    await page.getByText('exists already').waitFor({ state: 'detached' });
    await page.getByLabel('Description').fill('Typed in a browser');
    await page.getByRole('combobox', { name: 'Tags' }).fill('team-less');
    await page.keyboard.press('Enter');
    // Closes the list of the input, because axe reports an open one.
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await expectAccessible(page);
    complaints();
    await page.getByRole('button', { name: 'Create feature flag' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('simple:team-less').waitFor();
    const state = page.getByRole('switch', { name: `${name} in development` });
    await state.click({ force: true });
    await page.getByText('Gradual rollout').waitFor();
    expect(await state.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => state.isChecked()).toBe(false);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Archive flag' }).click();
    await page.getByRole('heading', { name: 'Default', level: 1 }).waitFor();
    expect(complaints()).toEqual([]);
  });
});

const strategies =
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies' as const;

describe('strategies of a flag', () => {
  const server = useServer();
  const open = useBrowser();

  it('have each stickiness once, also with a sticky context field that is named random', async () => {
    const body = { name: 'random', stickiness: true };
    expect((await server().admin.call('POST /api/admin/context', { body })).status).toBe(201);
    const { featureName } = await givenFlag(server());
    const { page, complaints } = await open(server(), {
      at: `/projects/default/features/${featureName}/strategies/create?environmentId=development`,
    });
    await page.getByRole('combobox', { name: 'Stickiness' }).click();
    await page.getByRole('option', { name: 'Random for every request' }).waitFor();
    expect(await page.getByRole('option', { name: /random/i }).allTextContents()).toEqual([
      'Default (userId, sessionId or random)',
      'Random for every request',
    ]);
    expect(complaints()).toEqual([]);
  });

  it('take constraints and variants, and show errors at their fields without losing input', async () => {
    await server().admin.call('POST /api/admin/context', {
      body: { name: 'country', legalValues: [{ value: 'NL' }, { value: 'BE' }] },
    });
    const params = await givenFlag(server());
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${params.featureName}` });
    await page.getByRole('region', { name: 'development' }).getByRole('link', { name: 'Add strategy' }).click();
    await page.getByLabel('Title').fill('Benelux');
    await page.getByRole('textbox', { name: 'Rollout', exact: true }).fill('50');
    await page.getByRole('button', { name: 'Add constraint' }).click();
    const first = page.getByRole('group', { name: 'Constraint 1' });
    await first.getByRole('combobox', { name: 'Context field' }).fill('country');
    await page.getByRole('button', { name: 'Add strategy' }).click();
    await first.getByText('Enter at least one value.').waitFor();
    await first.getByRole('combobox', { name: 'Values' }).pressSequentially('nl');
    await page.keyboard.press('Enter');
    await first.getByText('NL', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add constraint' }).click();
    const second = page.getByRole('group', { name: 'Constraint 2' });
    await second.getByRole('combobox', { name: 'Context field' }).fill('appVersion');
    await second.getByRole('combobox', { name: 'Operator' }).click();
    await page.getByRole('option', { name: 'is at least version', exact: true }).click();
    await second.getByRole('textbox', { name: 'Version' }).fill('two');
    await page.getByRole('button', { name: 'Add variant' }).click();
    await page.getByLabel('Variant name').fill('blue');
    await page.getByText('50 % of users, where country is NL and appVersion is at least version two.').waitFor();
    await page.getByRole('button', { name: 'Add strategy' }).click();
    await second.getByText('Must be a semantic version').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Benelux');
    await expectAccessible(page);
    // Discards the console messages: the browser logs the refused request.
    complaints();
    await second.getByRole('textbox', { name: 'Version' }).fill('2.0.0');
    await page.getByRole('button', { name: 'Add strategy' }).click();
    await page.getByRole('heading', { name: params.featureName, level: 1 }).waitFor();
    await page.getByText('50 % of users, where country is NL and appVersion is at least version 2.0.0').waitFor();
    const { json } = await server().admin.call(strategies, { params: { ...params, environment: 'development' } });
    expect(json[0]).toMatchObject({
      title: 'Benelux',
      parameters: { rollout: '50', groupId: params.featureName },
      constraints: [
        { contextName: 'country', operator: 'IN', values: ['NL'] },
        { contextName: 'appVersion', operator: 'SEMVER_GTE', value: '2.0.0' },
      ],
      variants: [{ name: 'blue', weight: 1000 }],
    });
    expect(complaints()).toEqual([]);
  });

  it('are reordered by keyboard', async () => {
    const params = { ...(await givenFlag(server())), environment: 'development' };
    for (const title of ['one', 'two'])
      await server().admin.call(
        'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
        { params, body: { name: 'default', title } },
      );
    const { page, complaints } = await open(server(), { at: `/projects/default/features/${params.featureName}` });
    await page.getByRole('button', { name: 'Move one' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('one is at place 1 of 2').waitFor({ state: 'attached' });
    await pressUntil(page, 'ArrowDown', 'one is at place 2 of 2');
    await page.keyboard.press('Space');
    const titles = async () =>
      (await server().admin.call(strategies, { params })).json.map(({ title }: { title: string }) => title);
    await expect.poll(titles).toEqual(['two', 'one']);
    expect(complaints()).toEqual([]);
  });

  it('become a change request where changes are reviewed', async () => {
    const projectId = await givenProject(server(), {
      changeRequestEnvironments: [{ name: 'production', requiredApprovals: 1 }],
    });
    const { featureName } = await givenFlag(server(), {}, projectId);
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/features/${featureName}` });
    await page.getByText('Review required').waitFor();
    await page.getByRole('switch', { name: `${featureName} in production` }).press(' ');
    await page.getByRole('button', { name: 'Add to draft change request' }).click();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('In review').waitFor();
    expect(await page.getByRole('switch', { name: `${featureName} in production` }).isChecked()).toBe(false);
    expect(complaints()).toEqual([]);
  });
});

describe('many flags', () => {
  const server = useServer();
  const open = useBrowser();

  it('searches flags, changes several together, archives a flag and revives it', async () => {
    const projectId = await givenProject(server());
    for (const name of ['cart-a', 'cart-b', 'search-a']) await givenFlag(server(), { name }, projectId);
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}` });
    await page.getByText('3 flags').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Created: day').fill('2001-02-03');
    await page.getByLabel('Created', { exact: true }).selectOption('before');
    await page.getByText('No flags match').waitFor();
    expect(new URL(page.url()).searchParams.get('created')).toBe('before:2001-02-03');
    await page.getByLabel('Created', { exact: true }).selectOption('after');
    await page.getByRole('combobox', { name: 'Created by' }).click();
    // The page also has the options of a native select, which are never visible.
    await page.getByRole('listbox').getByRole('option').first().click();
    await page.getByText('3 flags').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Search flags').fill('cart');
    await page.getByText('2 flags').waitFor();
    expect(new URL(page.url()).search).toBe('?query=cart');
    await page.getByRole('checkbox', { name: 'Select all matching flags' }).check();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('menuitem', { name: 'Enable in development' }).click();
    await page.getByText('2 flags are changed.').waitFor();
    await expect.poll(() => page.getByRole('switch', { name: 'cart-b in development' }).isChecked()).toBe(true);
    const selected = page.getByRole('region', { name: 'Selected flags' });
    await selected.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select cart-a' }).check();
    await selected.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Archive flag' }).click();
    await page.getByText('1 flag', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Archive' }).click();
    await page.getByRole('checkbox', { name: 'Select cart-a' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revive' }).click();
    await page.getByText('No archived flags').waitFor();
    expect(complaints()).toEqual([]);
  });

  it('creates a project with an id derived from its name, and shows that an id is taken', async () => {
    const { page, complaints } = await open(server(), { at: '/projects' });
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Default');
    await page.getByText(/exists|taken/).waitFor();
    await page.getByLabel('Name').fill('Web shop');
    expect(await page.getByLabel('Project ID').inputValue()).toBe('web-shop');
    await page.getByText(/exists|taken/).waitFor({ state: 'detached' });
    complaints();
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Web shop', level: 1 }).waitFor();
    await page.getByText('No flags yet').waitFor();
    expect(complaints()).toEqual([]);
  });
});
