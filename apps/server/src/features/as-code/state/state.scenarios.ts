import { expect } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { givenContextField } from '#testing/context-fields.ts';
import {
  addStrategy,
  type FlagEnvironmentParams,
  freshName,
  givenArchived,
  givenFlag,
  givenLink,
  givenProject,
} from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';
import { givenTagType } from '#testing/tags.ts';
import { actionStateScenarios } from './action.scenarios.ts';
import { installationScenarios } from './installation.scenarios.ts';
import { releasePlanStateScenarios } from './release-plan.scenarios.ts';
import { releaseTemplateStateScenarios } from './release-template.scenarios.ts';
import { reviewStateScenarios } from './review.scenarios.ts';
import { safeguardStateScenarios } from './safeguard.scenarios.ts';

const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';
const environment = 'development';
const memberRole = 5;
const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];

/** Returns a state with one flag of a project. */
function naming(project: string, flag: string, more: object = {}, rest: object = {}) {
  return { state: { version: 1, projects: { [project]: { flags: { [flag]: more } } }, ...rest } };
}

/** Creates a flag with strategies, links, a dependency and other fields, in its own project. */
async function givenFull(server: TestServer): Promise<FlagEnvironmentParams> {
  const projectId = await givenProject(server);
  const params = { ...(await givenFlag(server, { tags: [{ type: 'simple', value: 'old' }] }, projectId)), environment };
  const at = '/api/admin/projects/:projectId/features/:featureName' as const;
  await givenLink(server, { url: 'https://example.com/old' }, params);
  await givenLink(server, { url: 'https://example.com/kept' }, params);
  await addStrategy(server, params, { name: 'flexibleRollout', parameters: { rollout: '10' } });
  await addStrategy(server, params, { name: 'userWithId', parameters: { userIds: '1' } });
  await server.admin.call(`POST ${at}/environments/:environment/on`, { params });
  const parent = await givenFlag(server, { name: `${projectId}.parent` }, projectId);
  await givenFlag(server, { name: `${projectId}.other` }, projectId);
  await server.admin.call(`POST ${at}/dependencies`, { params, body: { feature: parent.featureName } });
  await server.admin.call(`PUT ${at}`, { params, body: { stale: true } });
  return params;
}

const refusals: readonly { name: string; body: (server: TestServer) => Promise<object>; expected: RegExp }[] = [
  {
    name: 'an unknown key, with the path to it',
    body: async () => naming('default', freshName('flag'), { enabled: true }),
    expected: /state\.projects\.default\.flags\.flag-\d+.*Unrecognized key/,
  },
  {
    name: 'a legal value that is listed twice',
    body: async () => ({
      state: { version: 1, contextFields: { [freshName('field')]: { legalValues: ['eu', { value: 'eu' }] } } },
    }),
    expected: /legalValues: must name each value once/,
  },
  { name: 'another version', body: async () => ({ state: { version: 2 } }), expected: /state\.version/ },
  {
    name: 'an unknown environment',
    body: async () => naming('default', freshName('flag'), { environments: { nowhere: { enabled: true } } }),
    expected: /environments\.nowhere must be an environment of the project/,
  },
  {
    name: 'an unknown strategy and an unknown segment',
    body: async () =>
      naming('default', freshName('flag'), {
        environments: { [environment]: { strategies: [{ name: 'none' }, { name: 'default', segments: ['none'] }] } },
      }),
    expected: /strategies\.0\.name.*strategies\.1\.segments\.0/s,
  },
  {
    name: 'a flag of another project',
    body: async (server) => naming('default', (await givenFlag(server, {}, await givenProject(server))).featureName),
    expected: /another project has a flag named/,
  },
  {
    name: 'to move a context field to a project',
    body: async (server) => ({
      state: { version: 1, contextFields: { [await givenContextField(server)]: { project: 'default' } } },
    }),
    expected: /contextFields\..*project cannot be changed/,
  },
  {
    name: 'a context field and a segment of unknown projects',
    body: async () => ({
      state: {
        version: 1,
        contextFields: { [freshName('field')]: { project: 'nowhere' } },
        segments: { [freshName('segment')]: { project: 'elsewhere', constraints: [] } },
      },
    }),
    expected:
      /contextFields\..*project there is no project nowhere.*segments\..*project there is no project elsewhere/s,
  },
  {
    name: 'invalid constraints of a segment',
    body: async () => ({
      state: {
        version: 1,
        segments: { [freshName('segment')]: { constraints: [{ contextName: 'x', operator: 'NUM_EQ', value: 'y' }] } },
      },
    }),
    expected: /segments\..*constraints\.0\.value/,
  },
];

const planScenarios: readonly Scenario[] = [
  {
    route: plan,
    name: 'shows what a flag of a file would change',
    isExample: true,
    given: async (server) => {
      const { projectId, featureName } = await givenFlag(server, {}, await givenProject(server));
      return { body: naming(projectId, featureName, { description: 'The new checkout, with one page' }) };
    },
    answer: { changes: [{ type: 'feature-metadata-updated' }], errors: [] },
  },
  {
    route: plan,
    name: 'takes a project without environments',
    given: async () => ({
      body: { state: { version: 1, projects: { [freshName('project')]: { environments: [] } } } },
    }),
    answer: { changes: [{ type: 'project-created' }] },
  },
  {
    route: plan,
    name: 'shows the changes field by field without making them',
    as: 'viewer',
    given: async (server) => {
      const { projectId, featureName } = await givenFull(server);
      const strategies = [
        { name: 'flexibleRollout', parameters: { rollout: 20, stickiness: 'default' } },
        { name: 'userWithId', parameters: { userIds: '1' } },
      ];
      return { body: naming(projectId, featureName, { environments: { [environment]: { strategies } } }) };
    },
    answer: {
      changes: [
        {
          type: 'feature-strategy-update',
          kind: 'flag',
          environment,
          item: 'flexibleRollout',
          fields: [{ field: 'parameters.rollout', before: '10', after: '20' }],
        },
      ],
      errors: [],
      permissions: [{ message: expect.stringContaining('UPDATE_FEATURE_STRATEGY'), names: [expect.any(String)] }],
    },
  },
  ...refusals.map(
    ({ name, body, expected }): Scenario => ({
      route: plan,
      name: `reports ${name}`,
      given: async (server) => ({ body: await body(server) }),
      // A malformed state is refused; references to unknown entities are reported as errors.
      status: /unknown key|version|legal value/.test(name) ? 400 : 200,
      check: ({ json }) => {
        const errors = json.errors ?? json.details;
        expect(
          errors.map((error: { path: string; message: string }) => `${error.path} ${error.message}`).join('\n'),
        ).toMatch(expected);
      },
    }),
  ),
];

const applyScenarios: readonly Scenario[] = [
  {
    route: apply,
    name: 'creates projects, flags and the entities that flags use',
    given: async (server) => {
      const [flag, segment, field, type] = ['f', 's', 'c', 't'].map(freshName) as [string, string, string, string];
      const projectId = await givenProject(server);
      const state = {
        tags: [`${type}:new`],
        environments: { [environment]: { enabled: true, strategies: [{ name: 'default', segments: [segment] }] } },
      };
      return {
        body: {
          state: {
            version: 1,
            projects: { [freshName('p')]: {}, [projectId]: { flags: { [flag]: state } } },
            segments: { [segment]: { constraints } },
            contextFields: { [field]: { legalValues: ['a', { value: 'b', description: 'B' }] } },
            tagTypes: { [type]: { description: 'New' } },
          },
        },
      };
    },
    events: [
      { type: 'project-created', data: { environments: ['development', 'production'] } },
      { type: 'tag-type-created', data: { description: 'New' } },
      { type: 'context-field-created', data: { legalValues: [{ value: 'a' }, { value: 'b', description: 'B' }] } },
      { type: 'segment-created', data: { constraints: [{ contextName: 'userId' }] } },
      { type: 'tag-created', data: { value: 'new' } },
      { type: 'feature-created', environment: null },
      { type: 'feature-tagged' },
      { type: 'feature-strategy-add', environment, data: { name: 'default', segments: [expect.any(Number)] } },
      { type: 'feature-environment-enabled', environment },
    ],
  },
  {
    route: apply,
    name: 'changes only what differs',
    given: async (server) => {
      const { projectId, featureName } = await givenFull(server);
      const segment = await givenSegment(server);
      const field = await givenContextField(server);
      const type = await givenTagType(server);
      const flag = {
        description: 'Changed',
        stale: false,
        tags: ['simple:new'],
        links: ['https://example.com/new', { url: 'https://example.com/kept', title: 'Kept' }],
        dependsOn: `${projectId}.other`,
        environments: {
          [environment]: {
            enabled: false,
            strategies: [{ name: 'userWithId', parameters: { userIds: '2' } }, { name: 'default' }],
            variants: [{ name: 'blue' }],
          },
        },
      };
      const project = { name: 'Renamed', environments: ['development'], flags: { [featureName]: flag } };
      return {
        body: {
          state: {
            version: 1,
            projects: { [projectId]: project },
            segments: { [segment.name]: { constraints } },
            contextFields: { [field]: { description: 'Changed' } },
            tagTypes: { [type]: { color: '#00aa7f' } },
          },
        },
      };
    },
    events: [
      { type: 'project-updated', data: { name: 'Renamed' } },
      { type: 'project-environment-removed', environment: 'production' },
      { type: 'tag-type-updated', data: { color: '#00aa7f' } },
      { type: 'context-field-updated', preData: { description: null }, data: { description: 'Changed' } },
      { type: 'segment-updated', preData: { constraints: [{ contextName: 'country' }] } },
      { type: 'tag-created' },
      { type: 'feature-metadata-updated', preData: { description: null }, data: { description: 'Changed' } },
      { type: 'feature-stale-off' },
      { type: 'feature-tagged', data: { value: 'new' } },
      { type: 'feature-untagged', preData: { value: 'old' } },
      { type: 'feature-link-added', data: { url: 'https://example.com/new' } },
      { type: 'feature-link-updated', preData: {}, data: { title: 'Kept' } },
      { type: 'feature-link-removed', preData: { url: 'https://example.com/old' } },
      { type: 'feature-strategy-update', environment, data: { name: 'userWithId', parameters: { userIds: '2' } } },
      { type: 'feature-strategy-add', environment, data: { name: 'default' } },
      { type: 'feature-strategy-remove', environment, preData: { name: 'flexibleRollout' } },
      { type: 'feature-environment-variants-updated', environment, data: { variants: [{ weight: 1000 }] } },
      { type: 'feature-environment-disabled', environment },
      { type: 'feature-dependency-removed' },
      { type: 'feature-dependency-added' },
    ],
  },
  {
    route: apply,
    name: 'archives the unnamed flags of named projects with prune',
    given: async (server) => {
      const { projectId, featureName } = await givenFull(server);
      return { body: { ...naming(projectId, featureName, { dependsOn: null, stale: true }), prune: true } };
    },
    events: [{ type: 'feature-dependencies-removed' }, { type: 'feature-archived' }, { type: 'feature-archived' }],
  },
  {
    route: apply,
    name: 'revives an archived flag, marks it stale and adds an environment',
    given: async (server) => {
      const projectId = await givenProject(server, { environments: ['development'] });
      const { featureName } = await givenArchived(server, projectId);
      const flags = { [featureName]: { stale: true, environments: { development: { enabled: true } } } };
      const environments = ['development', 'production'];
      return { body: { state: { version: 1, projects: { [projectId]: { environments, flags } } } } };
    },
    events: [
      { type: 'project-environment-added', environment: 'production' },
      { type: 'feature-revived' },
      { type: 'feature-stale-on' },
      { type: 'feature-strategy-add', environment },
      { type: 'feature-environment-enabled', environment },
    ],
  },
  {
    route: apply,
    name: 'accepts the fingerprint of the plan',
    as: 'editor',
    given: async (server) => {
      const body = naming('default', freshName('flag'));
      const { json } = await server.admin.call(plan, { body });
      return { body: { ...body, fingerprint: json.fingerprint } };
    },
    events: [{ type: 'feature-created' }],
  },
  ...refused(apply, 409, {
    'refuses a fingerprint of an outdated plan': async (server) => {
      const { featureName, ...params } = await givenFlag(server);
      const body = naming('default', featureName, { description: 'Mine' });
      const { json } = await server.admin.call(plan, { body });
      await server.admin.call('PUT /api/admin/projects/:projectId/features/:featureName', {
        params: { ...params, featureName },
        body: { description: 'Of another team' },
      });
      return { body: { ...body, fingerprint: json.fingerprint } };
    },
  }),
  ...refusals.map(
    ({ name, body }): Scenario => ({
      route: apply,
      name: `refuses ${name}`,
      given: async (server) => ({ body: await body(server) }),
      status: 400,
    }),
  ),
  ...refused(apply, 400, {
    'refuses to prune a flag that another flag depends on': async (server) => {
      const { projectId, featureName } = await givenFull(server);
      return { body: { ...naming(projectId, featureName), prune: true } };
    },
  }),
  {
    route: apply,
    name: 'names the missing permission',
    given: async (server) => {
      const { token } = await givenMember(server, await givenProject(server), memberRole);
      const body = { state: { version: 1, projects: { default: { name: 'Mine' } } } };
      return { headers: { authorization: token }, body };
    },
    status: 403,
    answer: { permissions: ['UPDATE_PROJECT'] },
  },
];

const readScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/state',
    name: 'is a state that changes nothing when it is applied',
    given: async (server) => ({ query: { projects: (await givenFull(server)).projectId } }),
    check: async ({ json }, server) => {
      const planned = await server.admin.call(plan, { body: { state: json, prune: true } });
      expect(planned.json).toMatchObject({ changes: [], errors: [] });
      const [[id, project]] = Object.entries(json.projects) as [[string, { flags: object }]];
      expect(Object.keys(project.flags)).toContain(`${id}.parent`);
    },
  },
  ...refused('GET /api/admin/state', 404, {
    'refuses an unknown project': { query: { projects: 'default,nowhere' } },
  }),
];

export const stateScenarios: readonly Scenario[] = [
  ...readScenarios,
  ...planScenarios,
  ...applyScenarios,
  ...actionStateScenarios,
  ...installationScenarios,
  ...releasePlanStateScenarios,
  ...releaseTemplateStateScenarios,
  ...safeguardStateScenarios,
  ...reviewStateScenarios,
];
