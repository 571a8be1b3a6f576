import { givenPlace, requestChanges } from './change-requests.ts';
import type { Reply } from './client.ts';
import { freshName, givenDefault, givenFlagIn, givenProject, givenStrategy } from './flags.ts';
import { givenPlan, givenTemplate } from './release-plans.ts';
import { givenSegment } from './segments.ts';
import type { TestServer } from './server.ts';

/** The body of a strategy. */
type StrategyBody = Readonly<Record<string, unknown>> & { readonly name: string };

/** Sends a request that would store the value; the test checks the answer. */
type Writer<Value> = (server: TestServer, value: Value) => Promise<Reply>;

const inFlag = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const templates = '/api/admin/release-plan-templates' as const;

/** Each way to store a strategy. A new one belongs here, so that the rules for values are tested with it. */
export const strategyWriters: Readonly<Record<string, Writer<StrategyBody>>> = {
  'adding a strategy': async ({ admin, ...server }, body) =>
    admin.call(`POST ${inFlag}/strategies`, { params: await givenFlagIn({ admin, ...server }), body }),
  'updating a strategy': async (server, body) =>
    server.admin.call(`PUT ${inFlag}/strategies/:strategyId`, { params: await givenStrategy(server), body }),
  'patching a strategy': async (server, { name, ...more }) =>
    server.admin.call(`PATCH ${inFlag}/strategies/:strategyId`, {
      params: await givenStrategy(server),
      body: [
        { op: 'replace', path: '/name', value: name },
        ...Object.entries(more).map(([key, value]) => ({ op: 'add', path: `/${key}`, value })),
      ],
    }),
  'setting a default strategy': async (server, body) =>
    server.admin.call('POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
      params: await givenDefault(server, { name: 'default' }),
      body,
    }),
  'requesting a new strategy': async (server, payload) => {
    const { params } = await givenPlace(server);
    const body = { action: 'addStrategy', feature: params.featureName, payload };
    return request(server, params, body);
  },
  'requesting a change of a strategy': async (server, payload) => {
    const { params } = await givenPlace(server, 0);
    const added = await server.admin.call(`POST ${inFlag}/strategies`, { params, body: { name: 'default' } });
    const body = { action: 'updateStrategy', feature: params.featureName, payload: { ...payload, id: added.json.id } };
    return request(server, params, body);
  },
  'editing a requested change': async (server, payload) => {
    const { params } = await givenPlace(server);
    const body = { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } };
    const { id, features } = await requestChanges(server.admin, params, body);
    return server.admin.call('PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId', {
      params: { projectId: params.projectId, changeRequestId: id, changeId: features[0].changes[0].id },
      body: { ...body, payload },
    });
  },
  'requesting a release plan': async (server, strategy) => {
    const { params } = await givenPlace(server);
    const payload = { name: 'Plan', strategies: 'keep', milestones: [milestone(strategy)] };
    return request(server, params, { action: 'addReleasePlan', feature: params.featureName, payload });
  },
  'creating a template': (server, strategy) =>
    server.admin.call(`POST ${templates}`, {
      body: { name: freshName('template'), milestones: [milestone(strategy)] },
    }),
  'updating a template': async (server, strategy) => {
    const { id, name } = await givenTemplate(server);
    const body = { name, milestones: [milestone(strategy)] };
    return server.admin.call(`PUT ${templates}/:templateId`, { params: { templateId: id }, body });
  },
  'adding a milestone to a template': async (server, strategy) => {
    const { id } = await givenTemplate(server);
    return server.admin.call(`POST ${templates}/:templateId/milestones`, {
      params: { templateId: id },
      body: milestone(strategy),
    });
  },
  'updating a milestone of a template': async (server, strategy) => {
    const { id, milestones } = await givenTemplate(server);
    const params = { templateId: id, milestoneId: milestones[0].id };
    return server.admin.call(`PUT ${templates}/:templateId/milestones/:milestoneId`, {
      params,
      body: milestone(strategy),
    });
  },
  'adding a strategy to a milestone': async (server, body) => {
    const { id, milestones } = await givenTemplate(server);
    const params = { templateId: id, milestoneId: milestones[0].id };
    return server.admin.call(`POST ${templates}/:templateId/milestones/:milestoneId/strategies`, { params, body });
  },
  'updating a strategy of a milestone': async (server, body) => {
    const { id, milestones } = await givenTemplate(server);
    const params = { templateId: id, milestoneId: milestones[0].id, strategyId: milestones[0].strategies[0].id };
    return server.admin.call(`PUT ${templates}/:templateId/milestones/:milestoneId/strategies/:strategyId`, {
      params,
      body,
    });
  },
  'adding a release plan': async (server, strategy) =>
    server.admin.call(`POST ${inFlag}/release-plans`, {
      params: await givenFlagIn(server),
      body: { name: 'Plan', strategies: 'keep', milestones: [milestone(strategy)] },
    }),
  'updating a strategy of a release plan': async (server, body) => {
    const { params, strategyIds } = await givenPlan(server);
    return server.admin.call(`PUT ${inFlag}/milestone-strategies/:strategyId`, {
      params: { ...params, strategyId: strategyIds[0] ?? '' },
      body,
    });
  },
  'applying the state of a flag': (server, strategy) =>
    apply(server, {
      projects: { default: { flags: { [freshName('flag')]: inDevelopment({ strategies: [strategy] }) } } },
    }),
  'applying the state of a release plan': (server, strategy) => {
    const releasePlan = { milestones: [milestone(strategy)] };
    return apply(server, { projects: { default: { flags: { [freshName('flag')]: inDevelopment({ releasePlan }) } } } });
  },
  'applying the state of a template': (server, strategy) =>
    apply(server, { releaseTemplates: { [freshName('template')]: { milestones: [milestone(strategy)] } } }),
  'importing a file': async (server, strategy) => {
    const featureName = freshName('flag');
    const data = { features: [{ name: featureName }], featureStrategies: [{ ...strategy, featureName }] };
    const contextFields = [{ name: 'country' }];
    return server.admin.call('POST /api/admin/features-batch/import', {
      body: { project: await givenProject(server), environment: 'development', data: { ...data, contextFields } },
    });
  },
};

/** Each way to store a segment. */
export const segmentWriters: Readonly<Record<string, Writer<readonly object[]>>> = {
  'creating a segment': (server, constraints) =>
    server.admin.call('POST /api/admin/segments', { body: { name: freshName('segment'), constraints } }),
  'updating a segment': async (server, constraints) => {
    const { id, name } = await givenSegment(server);
    return server.admin.call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints } });
  },
  'requesting a change of a segment': async (server, constraints) => {
    const { params } = await givenPlace(server);
    const { id, name } = await givenSegment(server, { project: params.projectId });
    return request(server, params, { action: 'updateSegment', payload: { id, name, constraints } });
  },
  'applying the state of a segment': (server, constraints) =>
    apply(server, { segments: { [freshName('segment')]: { constraints } } }),
  'importing a segment': async (server, constraints) => {
    const featureName = freshName('flag');
    const data = {
      features: [{ name: featureName }],
      featureStrategies: [{ name: 'default', parameters: {}, featureName, segments: [1] }],
      segments: [{ id: 1, name: freshName('segment'), constraints }],
    };
    return server.admin.call('POST /api/admin/features-batch/import', {
      body: { project: await givenProject(server), environment: 'development', data },
    });
  },
};

function milestone(strategy: object) {
  return { name: 'All', strategies: [strategy] };
}

function inDevelopment(environment: object) {
  return { environments: { development: environment } };
}

function apply(server: TestServer, state: object): Promise<Reply> {
  return server.admin.call('POST /api/admin/state/apply', { body: { state: { version: 1, ...state } } });
}

function request({ admin }: TestServer, params: Readonly<Record<string, string>>, body: object): Promise<Reply> {
  return admin.call('POST /api/admin/projects/:projectId/environments/:environment/change-requests', { params, body });
}
