import { describe, expect, it } from 'vitest';
import { givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const flag = 'GET /api/admin/projects/:projectId/features/:featureName' as const;

describe('flag details', () => {
  const server = useServer();
  const open = useBrowser();

  it('saves link templates for new flags, and shows an invalid URL at its field', async () => {
    const projectId = await givenProject(server());
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/links` });
    await page.getByRole('button', { name: 'Add link' }).click();
    const first = page.getByRole('group', { name: 'Link 1' });
    await first.getByLabel('Title').fill('Tickets');
    await first.getByLabel('URL').fill('tickets of {{feature}}');
    await page.getByRole('button', { name: 'Save link templates' }).click();
    await first.getByText(/Must be a URL/).waitFor();
    expect(await first.getByLabel('Title').inputValue()).toBe('Tickets');
    await expectAccessible(page);
    // Discards the console messages: the browser logs the refused request.
    complaints();
    await first.getByLabel('URL').fill('https://issues.example.com/{{project}}?q={{feature}}');
    await page.getByRole('button', { name: 'Save link templates' }).click();
    await page.getByText('Link templates saved').waitFor();
    const params = await givenFlag(server(), {}, projectId);
    const { json } = await server().admin.call(flag, { params });
    expect(json.links).toMatchObject([
      { title: 'Tickets', url: `https://issues.example.com/${projectId}?q=${params.featureName}` },
    ]);
    await page.reload();
    await page.getByRole('button', { name: 'Remove link 1' }).click();
    await page.getByRole('button', { name: 'Save link templates' }).click();
    await page.getByText('Link templates saved').waitFor();
    await page.getByText('No link templates yet.').waitFor();
    expect(complaints()).toEqual([]);
  });

  it('saves a variant override for chosen users', async () => {
    const params = await givenFlag(server());
    const { page, complaints } = await open(server(), {
      at: `/projects/default/features/${params.featureName}/variants?environmentId=development`,
    });
    const add = page.getByRole('button', { name: 'Add variant' });
    for (let count = 0; count < 3; count++) await add.click();
    expect(await page.getByText(/^unnamed 33/).count()).toBe(3);
    await page.getByRole('group', { name: 'Variant 1' }).getByLabel('Variant name').fill('blue');
    await page.getByText(/^blue 33/).waitFor();
    expect(await page.getByText(/^unnamed 33/).count()).toBe(2);
    for (const place of [3, 2]) await page.getByRole('button', { name: `Remove variant ${place}` }).click();
    await page.getByText('blue 100 %').waitFor();
    expect(await page.getByText('unnamed').count()).toBe(0);
    await page.getByRole('button', { name: 'Add override' }).click();
    await page.getByRole('button', { name: 'Save variants' }).click();
    const override = page.getByRole('group', { name: 'Override 1 of variant 1' });
    await override.getByText('Select a context field.').waitFor();
    await override.getByText('Enter at least one value.').waitFor();
    await override.getByPlaceholder('Context field').fill('userId');
    await page.keyboard.press('Escape');
    await override.getByPlaceholder('is one of').pressSequentially('ann,bob,');
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save variants' }).click();
    await page.getByRole('heading', { name: params.featureName, level: 1 }).waitFor();
    const { json } = await server().admin.call(flag, { params });
    const [variant] = json.environments.find(({ name }: { name: string }) => name === 'development').variants;
    expect(variant).toMatchObject({ name: 'blue', overrides: [{ contextName: 'userId', values: ['ann', 'bob'] }] });
    expect(complaints()).toEqual([]);
  });

  it('saves only the changed settings, so that a change of another person meanwhile is kept', async () => {
    const params = await givenFlag(server(), { description: 'of the author' });
    const { page, complaints } = await open(server(), {
      at: `/projects/default/features/${params.featureName}/settings`,
    });
    await page.getByLabel('Impression data').press(' ');
    await server().admin.call('PATCH /api/admin/projects/:projectId/features/:featureName', {
      params,
      body: [{ op: 'replace', path: '/description', value: 'of a colleague' }],
    });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved').waitFor();
    const { json } = await server().admin.call(flag, { params });
    expect(json).toMatchObject({ description: 'of a colleague', impressionData: true });
    expect(complaints()).toEqual([]);
  });
});
