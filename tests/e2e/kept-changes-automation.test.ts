import { describe, expect, it } from 'vitest';
import { givenSet, setBody } from '../../apps/server/testing/actions.ts';
import { givenFlag, givenStrategy } from '../../apps/server/testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '../../apps/server/testing/impact-metrics.ts';
import { givenTemplate, inThreeSteps } from '../../apps/server/testing/release-plans.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';
import { logIn, settled, useBrowser } from './browser.ts';
import { editing, expectBothKept } from './kept-changes.ts';

describe('forms of signals, actions, releases and flags keep what a colleague changed since they were opened', () => {
  const server = useServer();
  const open = useBrowser();

  const endpointNow = async (id: number) =>
    (await server().admin.call('GET /api/admin/signal-endpoints')).json.signalEndpoints.find(
      (endpoint: { id: number }) => endpoint.id === id,
    );

  it('an event consumer', async () => {
    const params = { name: 'data-lake' };
    const route = 'PUT /api/admin/event-consumers/:name';
    await server().admin.call(route, { params, body: {} });
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/integrations/consumers',
      open: editing('data-lake'),
      field: 'Description',
      colleague: () => server().admin.call(route, { params, body: { environments: ['production'] } }),
      submit: 'Save event consumer',
      state: async () => (await server().admin.call('GET /api/admin/event-consumers')).json.consumers[0],
      both: { description: 'of the user', environments: ['production'] },
    });
  });

  it('a signal endpoint', async () => {
    const { id, name } = await givenEndpoint(server());
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/integrations/signals?edit=${id}`,
      field: 'Signal endpoint description',
      colleague: () =>
        server().admin.call('PUT /api/admin/signal-endpoints/:id', {
          params: { id },
          body: { name: `${name}-2`, enabled: false, dropped: ['password'] },
        }),
      submit: 'Save signal endpoint',
      state: () => endpointNow(id),
      both: { name: `${name}-2`, description: 'of the user', enabled: false, dropped: ['password'] },
    });
  });

  it('a signal token', async () => {
    const { id, tokenId } = await givenEndpoint(server());
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/integrations/signals?edit=${id}`,
      open: (page) => page.getByRole('button', { name: 'Edit the token first' }).click(),
      field: 'Token name',
      colleague: () =>
        server().admin.call('PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
          params: { signalEndpointId: id, id: tokenId },
          body: { name: 'first', maxBodyBytes: 2000 },
        }),
      submit: 'Save token',
      state: async () => (await endpointNow(id)).tokens[0],
      both: { name: 'of the user', maxBodyBytes: 2000 },
    });
  });

  it('an action set', async () => {
    const set = await givenSet(server());
    const { id, projectId } = set;
    const body = setBody(set, { name: 'of the colleague', enabled: false });
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${projectId}/settings/actions?edit=${id}`,
      field: 'Action description',
      colleague: () =>
        server().admin.call('PUT /api/admin/projects/:projectId/actions/:id', { params: { projectId, id }, body }),
      submit: 'Save action',
      state: async () =>
        (await server().admin.call('GET /api/admin/projects/:projectId/actions', { params: { projectId } })).json
          .actions[0],
      both: { name: 'of the colleague', description: 'of the user', enabled: false },
    });
  });

  it('a release template', async () => {
    const { id: templateId, name } = await givenTemplate(server());
    const milestones = inThreeSteps.slice(1);
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/release-templates/edit/${templateId}`,
      field: 'Description',
      colleague: () =>
        server().admin.call('PUT /api/admin/release-plan-templates/:templateId', {
          params: { templateId },
          body: { name: `${name}-2`, milestones },
        }),
      submit: 'Save release template',
      state: async () =>
        (await server().admin.call('GET /api/admin/release-plan-templates/:templateId', { params: { templateId } }))
          .json,
      both: { name: `${name}-2`, description: 'of the user', milestones: [{ name: '50 %' }, { name: '100 %' }] },
    });
  });

  it('a strategy', async () => {
    const { strategyId, ...params } = await givenStrategy(server(), {
      name: 'flexibleRollout',
      parameters: { rollout: '10', stickiness: 'default', groupId: 'group' },
    });
    const { projectId, featureName, environment } = params;
    const route =
      'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId';
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['SE'] }];
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${projectId}/features/${featureName}/strategies/edit?environmentId=${environment}&strategyId=${strategyId}`,
      field: 'Title',
      colleague: () => server().admin.call(route, { params: { ...params, strategyId }, body: { constraints } }),
      submit: 'Save strategy',
      state: async () =>
        (
          await server().admin.call(
            'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
            { params: { ...params, strategyId } },
          )
        ).json,
      both: { title: 'of the user', constraints },
    });
  });

  it.each([
    ['a strategy', 'Title', 'Save strategy'],
    ['environment variants', 'Variant name', 'Save variants'],
  ])('%s, which two clicks write once', async (what, field, submit) => {
    const { strategyId, ...params } = await givenStrategy(server(), { name: 'default' });
    const { projectId, featureName, environment } = params;
    const flag = `/projects/${projectId}/features/${featureName}`;
    const window = await open(server());
    const { page } = window;
    const isStrategy = what === 'a strategy';
    const form = isStrategy ? `strategies/edit?strategyId=${strategyId}&environmentId` : 'variants?environmentId';
    await logIn(window, `${flag}/${form}=${environment}`);
    if (!isStrategy) await page.getByRole('button', { name: 'Add variant' }).click();
    await page.getByLabel(field).fill('of the user');
    const read = Promise.withResolvers<void>();
    const writes: string[] = [];
    await page.route(/\/api\/admin\//, async (route) => {
      const method = route.request().method();
      if (method === 'GET') await read.promise;
      else writes.push(method);
      await route.continue();
    });
    const save = page.getByRole('button', { name: submit, exact: true });
    await save.click();
    await save.dispatchEvent('click');
    read.resolve();
    await page.getByRole('heading', { name: featureName, level: 1 }).waitFor();
    await settled(window);
    expect(writes).toEqual(['PUT']);
    expect(window.complaints()).toEqual([]);
  });

  it('environment variants, of which both changed the list', async () => {
    const params = { ...(await givenFlag(server())), environment: 'development' };
    const route = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/variants';
    const variantOf = (name: string) => [{ name, weight: 1000, weightType: 'variable', stickiness: 'default' }];
    await server().admin.call(`PUT ${route}`, { params, body: variantOf('before') });
    const { page } = await open(server(), {
      at: `/projects/default/features/${params.featureName}/variants?environmentId=development`,
    });
    await page.getByLabel('Variant name').fill('user');
    await server().admin.call(`PUT ${route}`, { params, body: variantOf('colleague') });
    await page.getByRole('button', { name: 'Save variants' }).click();
    await page.getByText('Someone has changed the variants since this form was opened.').waitFor();
    expect((await server().admin.call(`GET ${route}`, { params })).json.variants).toMatchObject([
      { name: 'colleague' },
    ]);
    await page.reload();
    await page.getByLabel('Variant name').fill('user');
    await page.getByRole('button', { name: 'Save variants' }).click();
    await page.getByRole('heading', { name: params.featureName, level: 1 }).waitFor();
    expect((await server().admin.call(`GET ${route}`, { params })).json.variants).toMatchObject([{ name: 'user' }]);
  });

  it('a metric chart', async () => {
    const metric = metricNamed('orders');
    startMinute(server());
    await reportMetrics(server(), [{ name: metric, samples: [{ value: 7, labels: {} }] }]);
    const params = await givenFlag(server());
    const { projectId, featureName } = params;
    const route = '/api/admin/projects/:projectId/features/:featureName/impact-metrics/config';
    const body = {
      metricName: `unleash_counter_${metric}`,
      timeRange: 'hour',
      aggregationMode: 'count',
      labelSelectors: {},
      yAxisMin: 'zero',
      title: 'Orders',
    };
    const { json } = await server().admin.call(`POST ${route}`, { params, body });
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${projectId}/features/${featureName}/metrics`,
      open: editing('Orders'),
      field: 'Title',
      colleague: () =>
        server().admin.call(`POST ${route}`, { params, body: { ...body, id: json.id, timeRange: 'day' } }),
      submit: 'Save chart',
      state: async () => (await server().admin.call(`GET ${route}`, { params })).json.configs[0],
      both: { title: 'of the user', timeRange: 'day' },
    });
  });
});
