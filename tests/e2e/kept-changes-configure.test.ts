import { describe, expect, it } from 'vitest';
import { givenReview } from '../../apps/server/testing/change-requests.ts';
import { givenDefinition, givenEnvironment, givenProject } from '../../apps/server/testing/flags.ts';
import { givenIntegration, integrationBody } from '../../apps/server/testing/integrations.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenTagType } from '../../apps/server/testing/tags.ts';
import { useBrowser } from './browser.ts';
import { editing, expectBothKept } from './kept-changes.ts';

describe('forms of shared configuration keep what a colleague changed since they were opened', () => {
  const server = useServer();
  const open = useBrowser();

  it('a segment', async () => {
    const { id, name } = await givenSegment(server());
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['SE'] }];
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/segments',
      open: editing(name),
      field: 'Description',
      colleague: () =>
        server().admin.call('PUT /api/admin/segments/:id', {
          params: { id },
          body: { name: `${name}-2`, constraints },
        }),
      submit: 'Save segment',
      state: async () => (await server().admin.call('GET /api/admin/segments/:id', { params: { id } })).json,
      both: { name: `${name}-2`, description: 'of the user', constraints },
    });
  });

  it('a segment, also when its change is requested', async () => {
    const projectId = await givenProject(server());
    await givenReview(server(), projectId);
    const { id, name } = await givenSegment(server(), { project: projectId });
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['SE'] }];
    const window = await open(server(), { at: '/' });
    await expectBothKept(window, {
      at: `/projects/${projectId}/settings/segments`,
      open: editing(name),
      field: 'Description',
      colleague: () =>
        server().admin.call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints } }),
      submit: 'Add to draft change request',
      // Read as the user, because nobody else sees a draft.
      state: async () => {
        const drafts = await window.page.request.get(`/api/admin/projects/${projectId}/change-requests/pending`);
        return (await drafts.json())[0].segments[0].payload;
      },
      both: { description: 'of the user', constraints },
    });
  });

  it('a context field', async () => {
    const contextField = 'plan';
    await server().admin.call('POST /api/admin/context', { body: { name: contextField } });
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/context',
      open: editing(contextField),
      field: 'Description',
      colleague: () =>
        server().admin.call('POST /api/admin/context/:contextField/legal-values', {
          params: { contextField },
          body: { value: 'paid' },
        }),
      submit: 'Save context field',
      state: async () =>
        (await server().admin.call('GET /api/admin/context/:contextField', { params: { contextField } })).json,
      both: { description: 'of the user', legalValues: [{ value: 'paid' }] },
    });
  });

  it('an integration', async () => {
    const { id } = await givenIntegration(server(), { description: 'Chat', events: ['feature-created'] });
    const events = ['feature-created', 'feature-archived'];
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/integrations',
      open: editing('Chat'),
      field: 'Description',
      colleague: () =>
        server().admin.call('PUT /api/admin/addons/:id', {
          params: { id },
          body: { ...integrationBody, description: 'Chat', enabled: false, events },
        }),
      submit: 'Save integration',
      state: async () => (await server().admin.call('GET /api/admin/addons/:id', { params: { id } })).json,
      both: { description: 'of the user', enabled: false, events },
    });
  });

  it('a strategy type', async () => {
    const { name } = await givenDefinition(server());
    const parameters = [{ name: 'regions', type: 'list', description: '', required: true }];
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/strategies',
      open: editing(name),
      field: 'Title',
      colleague: () =>
        server().admin.call('PUT /api/admin/strategies/:name', { params: { name }, body: { parameters } }),
      submit: 'Save strategy type',
      state: async () => (await server().admin.call('GET /api/admin/strategies/:name', { params: { name } })).json,
      both: { title: 'of the user', parameters },
    });
  });

  it('a tag type', async () => {
    const name = await givenTagType(server());
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/tag-types',
      open: editing(name),
      field: 'Description',
      colleague: () =>
        server().admin.call('PUT /api/admin/tag-types/:name', { params: { name }, body: { color: '#1971c2' } }),
      submit: 'Save tag type',
      state: async () =>
        (await server().admin.call('GET /api/admin/tag-types/:name', { params: { name } })).json.tagType,
      both: { description: 'of the user', color: '#1971c2' },
    });
  });

  it('an environment', async () => {
    const name = await givenEnvironment(server());
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/environments',
      open: editing(name),
      field: 'Required approvals',
      text: '3',
      colleague: () =>
        server().admin.call('PUT /api/admin/environments/update/:name', {
          params: { name },
          body: { type: 'preproduction' },
        }),
      submit: 'Save environment',
      state: async () => (await server().admin.call('GET /api/admin/environments/:name', { params: { name } })).json,
      both: { type: 'preproduction', requiredApprovals: 3 },
    });
  });

  it('a banner', async () => {
    const { json } = await server().admin.call('POST /api/admin/banners', { body: { message: 'Move on Monday' } });
    const { id } = json;
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/admin/instance?tab=banners',
      open: editing('Move on Monday'),
      field: 'Link text',
      colleague: () =>
        server().admin.call('PUT /api/admin/banners/:id', {
          params: { id },
          body: { message: 'Move on Tuesday', variant: 'warning' },
        }),
      submit: 'Save banner',
      state: async () =>
        (await server().admin.call('GET /api/admin/banners')).json.banners.find((row: { id: number }) => row.id === id),
      both: { message: 'Move on Tuesday', variant: 'warning', linkText: 'of the user' },
    });
  });

  it('and say when both changed the same field', async () => {
    const { id, name } = await givenSegment(server(), { description: 'as before' });
    const { page, complaints } = await open(server(), { at: '/segments' });
    await editing(name)(page);
    const form = page.getByRole('dialog', { name: `Edit ${name}` });
    await form.getByLabel('Description').fill('of the user');
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['SE'] }];
    const changed = { name, description: 'of the colleague', constraints };
    await server().admin.call('PUT /api/admin/segments/:id', { params: { id }, body: changed });
    await form.getByRole('button', { name: 'Save segment' }).click();
    await form.getByText('Someone has changed the description since this form was opened.').waitFor();
    expect(await form.getByLabel('Description').inputValue()).toBe('of the user');
    const { json } = await server().admin.call('GET /api/admin/segments/:id', { params: { id } });
    expect(json).toMatchObject(changed);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    await editing(name)(page);
    expect(await form.getByLabel('Description').inputValue()).toBe('of the colleague');
    expect(complaints()).toEqual([]);
  });
});
