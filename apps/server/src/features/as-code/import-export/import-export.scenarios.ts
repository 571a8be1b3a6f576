import { expect } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { givenContextField, legalValues } from '#testing/context-fields.ts';
import { addStrategy, freshName, givenArchived, givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { exportScenarios } from './export.scenarios.ts';

const route = 'POST /api/admin/features-batch/import';
const validate = 'POST /api/admin/features-batch/validate';
const environment = 'development';
const readerRole = 6;

/** Returns the body of an import into the project default. */
function importing(data: object, more: object = {}) {
  return { project: 'default', environment, data: { features: [], ...data }, ...more };
}

/** Returns an export of Unleash with one flag. */
function exported(name: string, strategies: readonly object[] = [], more: object = {}) {
  return {
    features: [
      { name, type: 'release', project: 'elsewhere', description: null, stale: false, archived: false, ...more },
    ],
    featureStrategies: strategies.map((strategy) => ({
      id: 'of-elsewhere',
      name: 'default',
      featureName: name,
      ...strategy,
    })),
    featureEnvironments: [{ name: 'production', featureName: name, environment: 'production', enabled: true }],
  };
}

/** Returns an export with every kind of entity that an import can create. */
function everything() {
  const [name, parent, field, segment, type] = ['a', 'z', 'field', 'segment', 'type'].map(freshName) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const strategy = freshName('strategy');
  const constraints = [{ contextName: field, operator: 'IN', values: ['eu'] }];
  return importing({
    features: [{ name, variants: [{ name: 'blue', weight: 1000 }], stale: true }, { name: parent }],
    featureStrategies: [
      { name: 'flexibleRollout', featureName: name, parameters: { rollout: 25 }, segments: [77], sortOrder: 3 },
    ],
    featureEnvironments: [{ featureName: name, environment: 'of-elsewhere', enabled: true }],
    contextFields: [{ name: field, legalValues: ['eu'] }],
    segments: [{ id: 77, name: segment, constraints }],
    tagTypes: [{ name: type }],
    strategies: [{ name: strategy, parameters: [{ name: 'ids', type: 'list' }] }],
    featureTags: [{ featureName: name, type, value: 'fresh' }],
    dependencies: [{ feature: name, dependencies: [{ feature: parent }] }],
    links: [{ feature: name, links: [{ url: 'https://example.com/' }] }],
  });
}

/** Creates a flag that is on, with strategies, a tag and a dependency. */
async function givenFull(server: TestServer) {
  const projectId = await givenProject(server);
  const parent = await givenFlag(server, {}, projectId);
  const other = await givenFlag(server, {}, projectId);
  const params = { ...(await givenFlag(server, {}, projectId)), environment };
  const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
  await addStrategy(server, params, { name: 'flexibleRollout', parameters: { rollout: '10' } });
  await addStrategy(server, params, { name: 'userWithId', parameters: { userIds: '1' } });
  await server.admin.call(`POST ${flag}/environments/:environment/on`, { params });
  await server.admin.call(`POST ${flag}/dependencies`, { params, body: { feature: parent.featureName } });
  await server.admin.call(`PUT ${flag}`, { params, body: { stale: true } });
  return { projectId, name: params.featureName, other: other.featureName };
}

/** Returns a function that returns the body of an import of a valid flag beside other data. */
const beside = (data: (server: TestServer) => Promise<object>) => async (server: TestServer) => {
  const { features = [], ...rest } = (await data(server)) as { features?: object[] };
  return { body: importing({ features: [{ name: freshName('good') }, ...features], ...rest }) };
};

const importScenarios: readonly Scenario[] = [
  {
    route,
    name: 'creates flags with the entities that they use, and changes nothing when repeated',
    given: async () => ({ body: everything() }),
    events: [
      { type: 'tag-type-created' },
      {
        type: 'strategy-created',
        project: null,
        data: { editable: true, parameters: [{ name: 'ids', type: 'list', required: false }] },
      },
      { type: 'context-field-created', data: { legalValues: [{ value: 'eu' }] } },
      { type: 'segment-created', project: null },
      { type: 'tag-created' },
      { type: 'feature-created', project: 'default', environment: null, data: { type: 'release', stale: false } },
      { type: 'feature-stale-on' },
      { type: 'feature-tagged', data: { value: 'fresh' } },
      { type: 'feature-link-added', data: { url: 'https://example.com/' } },
      {
        type: 'feature-strategy-add',
        environment,
        data: { sortOrder: 3, parameters: { rollout: '25' }, segments: [expect.any(Number)] },
      },
      {
        type: 'feature-environment-variants-updated',
        environment,
        preData: { variants: [] },
        data: { variants: [{ name: 'blue', weight: 1000 }] },
      },
      { type: 'feature-environment-enabled', environment },
      { type: 'feature-created', project: 'default', environment: null },
      { type: 'feature-dependency-added', data: { enabled: true } },
      { type: 'features-imported', project: 'default', environment, featureName: null, data: null, preData: null },
    ],
  },
  {
    route,
    name: 'changes existing flags to match the export, also from text',
    given: async (server) => {
      const { projectId, name, other } = await givenFull(server);
      const parameters = { rollout: '20', stickiness: 'default', groupId: name };
      const data = {
        features: [{ name, type: 'experiment', description: 'Moved' }],
        featureStrategies: [{ name: 'flexibleRollout', featureName: name, parameters, disabled: false }],
        featureEnvironments: [{ featureName: name, environment, enabled: false }],
        dependencies: [{ feature: name, dependencies: [{ feature: other, enabled: false }] }],
      };
      return { body: { project: projectId, environment, data: JSON.stringify(data) } };
    },
    events: [
      {
        type: 'feature-metadata-updated',
        preData: { type: 'release', description: null },
        data: { type: 'experiment', description: 'Moved' },
      },
      { type: 'feature-stale-off' },
      {
        type: 'feature-strategy-update',
        environment,
        preData: { parameters: { rollout: '10' } },
        data: { parameters: { rollout: '20' } },
      },
      { type: 'feature-strategy-remove', environment, preData: { name: 'userWithId' } },
      { type: 'feature-environment-disabled', environment },
      { type: 'feature-dependency-removed' },
      { type: 'feature-dependency-added', data: { enabled: false } },
      { type: 'features-imported' },
    ],
  },
  {
    route,
    name: 'gives a flag that is on without an enabled strategy a strategy for all users',
    given: async () => ({ body: importing(exported(freshName('flag'))) }),
    events: [
      { type: 'feature-created' },
      { type: 'feature-strategy-add', data: { name: 'flexibleRollout', parameters: { rollout: '100' } } },
      { type: 'feature-environment-enabled' },
      { type: 'features-imported' },
    ],
  },
  ...refused(route, 400, {
    'refuses more variants than a flag may have, and then imports nothing': beside(async () => {
      const variants = Array.from({ length: 201 }, (_, n) => ({ name: `v${n}`, weight: 0 }));
      return { features: [{ name: freshName('flag'), variants }] };
    }),
    'refuses a legal value that is listed twice, and then imports nothing': beside(async () => ({
      features: [],
      contextFields: [{ name: freshName('field'), legalValues: ['eu', { value: 'eu' }] }],
    })),
    'refuses an unknown strategy, and then imports nothing': beside(async () =>
      exported(freshName('flag'), [{ name: 'of-ours' }]),
    ),
    'refuses an unknown segment without constraints in the export, and then imports nothing': beside(async () => ({
      ...exported(freshName('flag'), [{ segments: [5] }]),
      segments: [{ id: 5, name: 'absent' }],
    })),
    'refuses the id of a segment that the export does not list, also when a segment here has that number as its name, and then imports nothing':
      beside(async (server) => {
        await server.admin.call('POST /api/admin/segments', { body: { name: '4242', constraints: [] } });
        return exported(freshName('flag'), [{ segments: [4242] }]);
      }),
    'refuses a value that the context field here does not allow, and then imports nothing': beside(async (server) => {
      const contextName = await givenContextField(server, { legalValues });
      const constraints = [{ contextName, operator: 'IN', values: ['mars'] }];
      return { ...exported(freshName('flag'), [{ constraints }]), contextFields: [{ name: contextName }] };
    }),
    'refuses a flag of another project, and then imports nothing': beside(async (server) =>
      exported((await givenFlag(server, {}, await givenProject(server))).featureName),
    ),
    'refuses an archived flag, and then imports nothing': beside(async (server) =>
      exported((await givenArchived(server)).featureName),
    ),
    'refuses a dependency on an unknown flag, and then imports nothing': beside(async () => {
      const name = freshName('flag');
      return { ...exported(name), dependencies: [{ feature: name, dependencies: [{ feature: 'absent' }] }] };
    }),
    'refuses a dependency that is two levels deep, and then imports nothing': beside(async () => {
      const names = [freshName('flag'), freshName('flag'), freshName('flag')] as const;
      return {
        features: names.map((name) => ({ name })),
        dependencies: [0, 1].map((at) => ({ feature: names[at], dependencies: [{ feature: names[at + 1] }] })),
      };
    }),
    'refuses a tag of an unknown type, and then imports nothing': beside(async () => {
      const name = freshName('flag');
      return { ...exported(name), featureTags: [{ featureName: name, tagType: 'absent', tagValue: 'xx' }] };
    }),
    'refuses a flag that is named twice, and then imports nothing': beside(async () => {
      const name = freshName('flag');
      return { features: [{ name }, { name }] };
    }),
  }),
  ...refusedTo('viewer', route, 403, {
    'names every missing permission': async () => ({ body: everything() }),
  }),
  ...refused(route, 404, {
    'refuses an unknown project': { body: importing({}, { project: 'nowhere' }) },
    'refuses an unknown environment': { body: importing({}, { environment: 'nowhere' }) },
  }),
  ...refused(route, 400, {
    'refuses a name that the project does not allow': async (server) => {
      const project = await givenProject(server);
      const featureNaming = { pattern: 'ok-.*' };
      const params = { projectId: project };
      const body = { featureNaming, name: project };
      await server.admin.call('PUT /api/admin/projects/:projectId/settings', {
        params,
        body: { ...body, mode: 'open' },
      });
      return { body: importing({ features: [{ name: freshName('bad') }] }, { project }) };
    },
    'refuses text that is not JSON': { body: importing({}, { data: '{' }) },
  }),
];

const validateScenarios: readonly Scenario[] = [
  {
    route: validate,
    name: 'shows the changes flag by flag without making them',
    as: 'editor',
    given: async (server) => {
      const { featureName, ...place } = await givenFlagIn(server);
      await addStrategy(server, { featureName, ...place }, { name: 'flexibleRollout', parameters: { rollout: '10' } });
      const parameters = { rollout: '20', stickiness: 'default', groupId: featureName };
      return { body: importing(exported(featureName, [{ name: 'flexibleRollout', parameters }])) };
    },
    answer: {
      errors: [],
      permissions: [],
      warnings: [{ message: 'existing flags are changed to match the export', affectedItems: [expect.any(String)] }],
      changes: [
        {
          type: 'feature-strategy-update',
          kind: 'flag',
          project: 'default',
          environment,
          fields: [{ field: 'parameters.rollout', before: '10', after: '20' }],
        },
        { type: 'feature-environment-enabled', kind: 'flag', environment, fields: [] },
      ],
    },
  },
  {
    route: validate,
    name: 'reports all errors and all missing permissions',
    given: async (server) => {
      const project = await givenProject(server, { mode: 'protected' });
      const { token } = await givenMember(server, project, readerRole);
      const flags = [exported(freshName('x'), [{ name: 'none', segments: [1, 2] }]), exported(freshName('y'))];
      return {
        headers: { authorization: token },
        body: importing(
          {
            features: flags.flatMap(({ features }) => features),
            featureStrategies: flags.flatMap(({ featureStrategies }) => featureStrategies),
          },
          { project },
        ),
      };
    },
    check: ({ json }) => {
      expect(json.errors.map(({ message }: { message: string }) => message)).toEqual([
        expect.stringContaining('does not list the segments'),
        expect.stringContaining('not none'),
      ]);
      expect(json.permissions).toMatchObject([{ message: expect.stringContaining('CREATE_FEATURE') }]);
    },
  },
  ...refused(validate, 404, {
    'refuses an unknown project': { body: importing({}, { project: 'no' }) },
  }),
];

export const transferScenarios: readonly Scenario[] = [...exportScenarios, ...validateScenarios, ...importScenarios];
