import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { type BadInput, expectMendable } from './bad-input.ts';
import { focused, useBrowser } from './browser.ts';

// Configure forms that keep the typed text when input is refused. Other files cover: a new environment and a new tag
// type (configure), a banner and the origins of the frontend API (instance).

const tooLong = 'x'.repeat(4001);

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

/** Returns a function that opens the menu of a row (its three dots) and chooses an entry. */
const entry = (of: string, name: string) => async (page: Page) => {
  await page.getByRole('button', { name: `Actions for ${of}`, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

const environmentsAndContext = ({ admin }: TestServer): readonly BadInput[] => {
  const environments = async () => (await admin.call('GET /api/admin/environments')).json.environments;
  const fields = async () => (await admin.call('GET /api/admin/context')).json;
  const segments = async () => (await admin.call('GET /api/admin/segments')).json.segments;
  return [
    {
      form: 'an environment',
      at: '/environments',
      open: entry('development', 'Edit'),
      chosen: { 'Environment type': 'test' },
      field: 'Required approvals',
      refused: '1000',
      taken: '2',
      submit: 'Save environment',
      state: environments,
    },
    {
      form: 'a clone of an environment',
      at: '/environments',
      open: entry('development', 'Clone'),
      chosen: { 'Environment type': 'preproduction' },
      field: 'Environment name',
      refused: 'staging',
      meanwhile: () => admin.call('POST /api/admin/environments', { body: { name: 'staging', type: 'test' } }),
      taken: 'staging-2',
      submit: 'Clone environment',
      state: environments,
    },
    {
      form: 'a new context field',
      at: '/context',
      open: button('New context field'),
      typed: { Description: 'What somebody pays for' },
      field: 'Context name',
      refused: 'plan',
      meanwhile: () => admin.call('POST /api/admin/context', { body: { name: 'plan' } }),
      taken: 'tariff',
      submit: 'Create context field',
      state: fields,
    },
    {
      form: 'a context field',
      at: '/context',
      open: entry('plan', 'Edit'),
      field: 'Description',
      refused: tooLong,
      taken: 'What somebody pays for',
      submit: 'Save context field',
      state: fields,
    },
    {
      form: 'a new segment',
      at: '/segments',
      open: button('New segment'),
      typed: { Description: 'Those who asked for it' },
      field: 'Segment name',
      refused: 'beta',
      taken: 'gamma',
      submit: 'Create segment',
      state: segments,
    },
    {
      form: 'a segment',
      at: '/segments',
      open: entry('beta', 'Edit'),
      typed: { Description: 'Those who asked for it first' },
      field: 'Segment name',
      refused: 'gamma',
      taken: 'delta',
      submit: 'Save segment',
      state: segments,
    },
  ];
};

const tagsAndTypes = ({ admin }: TestServer): readonly BadInput[] => {
  const tagTypes = async () => (await admin.call('GET /api/admin/tag-types')).json.tagTypes;
  const tags = async () => (await admin.call('GET /api/admin/tags')).json.tags;
  const featureTypes = async () => (await admin.call('GET /api/admin/feature-types')).json.types;
  const strategies = async () => (await admin.call('GET /api/admin/strategies')).json.strategies;
  return [
    {
      form: 'a tag type',
      at: '/tag-types',
      open: entry('simple', 'Edit'),
      typed: { Description: 'Whatever you like' },
      field: 'Color',
      refused: 'sea green',
      taken: '#2e8b57',
      submit: 'Save tag type',
      state: tagTypes,
    },
    {
      form: 'a tag',
      at: '/tag-types',
      open: entry('simple', 'Tags'),
      typed: { 'New tag': 'checkout' },
      field: 'Color',
      refused: 'teal',
      taken: '#008080',
      submit: 'Add tag',
      state: tags,
    },
    {
      form: 'a feature flag type',
      at: '/feature-toggle-type',
      open: button('Edit Release'),
      field: 'Expected lifetime in days',
      refused: '3000000000',
      taken: '50',
      submit: 'Save lifetime',
      state: featureTypes,
    },
    {
      form: 'a new strategy type',
      at: '/strategies',
      open: async (page) => {
        await button('New strategy type')(page);
        await button('Add parameter')(page);
      },
      typed: { Title: 'By region', Name: 'regions' },
      field: 'Strategy type name',
      refused: 'byRegion',
      meanwhile: () => admin.call('POST /api/admin/strategies', { body: { name: 'byRegion', parameters: [] } }),
      taken: 'byRegions',
      submit: 'Create strategy type',
      state: strategies,
    },
    {
      form: 'a strategy type',
      at: '/strategies',
      open: entry('byRegions', 'Edit'),
      field: 'Name',
      refused: tooLong,
      taken: 'cities',
      submit: 'Save strategy type',
      state: strategies,
    },
  ];
};

describe('forms of shared configuration', () => {
  const server = useServer();
  const open = useBrowser();

  it('show refusals at their fields and keep all input: environments, context fields, segments', async () => {
    await server().admin.call('POST /api/admin/segments', { body: { name: 'beta', constraints: [] } });
    const window = await open(server(), { at: '/' });
    for (const input of environmentsAndContext(server())) await expectMendable(window, input);
  }, 120_000);

  it('show refusals at their fields and keep all input: tags, flag types, strategy types', async () => {
    const window = await open(server(), { at: '/' });
    for (const input of tagsAndTypes(server())) await expectMendable(window, input);
  }, 120_000);

  it('keep their input when the session ends, and can be corrected after login', async () => {
    const { page, complaints } = await open(server(), { at: '/segments' });
    const opener = page.getByRole('button', { name: 'New segment' });
    await opener.click();
    const form = page.getByRole('dialog', { name: 'New segment' });
    await form.getByLabel('Segment name').fill('ended');
    await form.getByRole('button', { name: 'Add constraint' }).click();
    await form.getByRole('combobox', { name: 'Context field' }).fill('userId');
    await form.getByRole('combobox', { name: 'Values' }).fill('somebody');
    await page.context().clearCookies();
    await form.getByRole('button', { name: 'Create segment' }).click();
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await focused(login.getByRole('textbox', { name: 'Password' }));
    await page.keyboard.type('First-Admin-42!');
    complaints();
    await page.keyboard.press('Enter');
    await login.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Segment name').inputValue()).toBe('ended');
    await form.getByText('somebody').waitFor();
    await form.getByRole('button', { name: 'Create segment' }).click();
    await form.waitFor({ state: 'detached' });
    await focused(opener);
    const { json } = await server().admin.call('GET /api/admin/segments');
    const made = json.segments.find(({ name }: { name: string }) => name === 'ended');
    expect(made.constraints).toMatchObject([{ values: ['somebody'] }]);
    expect(complaints()).toEqual([]);
  });
});
