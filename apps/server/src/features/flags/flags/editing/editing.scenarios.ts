import { expect } from 'vitest';
import { addStrategy, freshName, givenArchived, givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const byFlag = async (server: TestServer) => ({ params: await givenFlag(server) });
const inDefault = { params: { projectId: 'default' } };

const create: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/:projectId/features',
    name: 'creates a flag of a type with a description',
    isExample: true,
    given: async (server) => ({
      params: { projectId: await givenProject(server) },
      body: { name: freshName('flag'), type: 'kill-switch', description: 'The new checkout, with one page' },
    }),
    answer: { type: 'kill-switch', environments: [{ enabled: false }, { enabled: false }] },
    events: [{ type: 'feature-created' }],
  },
  {
    route: 'POST /api/admin/projects/:projectId/features',
    name: 'creates a flag, off in every environment of its project, and records each tag',
    as: 'editor',
    call: {
      ...inDefault,
      body: {
        name: "kill.switch_1~(!*')",
        type: 'kill-switch',
        description: 'naïve 🚩',
        impressionData: true,
        tags: [
          { type: 'simple', value: ' team-a ' },
          { type: 'simple', value: 'team-a' },
        ],
      },
    },
    answer: {
      name: "kill.switch_1~(!*')",
      type: 'kill-switch',
      description: 'naïve 🚩',
      project: 'default',
      impressionData: true,
      stale: false,
      archived: false,
      archivedAt: null,
      createdBy: { name: 'editor' },
      tags: [{ type: 'simple', value: 'team-a' }],
      environments: [
        { name: 'development', enabled: false, hasStrategies: false, strategies: [] },
        { name: 'production', enabled: false, hasStrategies: false, strategies: [] },
      ],
    },
    events: [
      { type: 'tag-created', featureName: null, data: { type: 'simple', value: 'team-a' } },
      {
        type: 'feature-created',
        project: 'default',
        featureName: "kill.switch_1~(!*')",
        environment: null,
        preData: null,
        data: {
          name: "kill.switch_1~(!*')",
          type: 'kill-switch',
          description: 'naïve 🚩',
          project: 'default',
          impressionData: true,
          stale: false,
          archived: false,
          lastSeenAt: null,
        },
      },
      {
        type: 'feature-tagged',
        featureName: "kill.switch_1~(!*')",
        preData: null,
        data: { type: 'simple', value: 'team-a' },
      },
    ],
  },
  ...['', '.', '..', 'a b', 'a/b', 'ü', '%61', 'x'.repeat(101)].map(
    (name): Scenario => ({
      route: 'POST /api/admin/projects/:projectId/features',
      name: `rejects the name ${JSON.stringify(name.slice(0, 10))}`,
      call: { ...inDefault, body: { name } },
      status: 400,
    }),
  ),
  ...refused('POST /api/admin/projects/:projectId/features', 409, {
    'answers 409 for the name of a flag in another project': async (server) => {
      const { featureName } = await givenFlag(server, {}, await givenProject(server));
      return { ...inDefault, body: { name: featureName } };
    },
  }),
  ...refused('POST /api/admin/projects/:projectId/features', 400, {
    'rejects an unknown flag type': { ...inDefault, body: { name: 'typed', type: 'unheard-of' } },
    'rejects U+0000 in a tag': { ...inDefault, body: { name: 'tagged', tags: [{ type: 'simple', value: 'a\0b' }] } },
  }),
];

const read: readonly Scenario[] = [
  {
    route: 'GET /api/admin/projects/:projectId/features',
    name: 'lists the active flags of the project by name',
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenArchived(server, projectId);
      for (const name of ['b', 'a', 'C']) {
        await givenFlag(
          server,
          { name: `${projectId}.${name}`, tags: [{ type: 'simple', value: name + name }] },
          projectId,
        );
      }
      return { params: { projectId } };
    },
    check: ({ json }) => {
      expect(json.version).toBe(1);
      expect(json.features.map((flag: { tags: object[] }) => flag.tags)).toEqual(
        ['CC', 'aa', 'bb'].map((value) => [{ type: 'simple', value }]),
      );
      expect(json.features[0].environments).toMatchObject([
        { name: 'development', enabled: false },
        { name: 'production', enabled: false },
      ]);
    },
  },
  {
    route: 'GET /api/admin/projects/:projectId/features/:featureName',
    name: 'answers an archived flag',
    as: 'viewer',
    given: async (server) => ({ params: await givenArchived(server) }),
    answer: { archived: true, archivedAt: expect.any(String) as string },
  },
  ...refused('GET /api/admin/projects/:projectId/features/:featureName', 400, {
    'rejects U+0000 in a name': { params: { projectId: 'default', featureName: 'a\0b' } },
  }),
];

const update: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/projects/:projectId/features/:featureName',
    name: 'records the metadata before and after, and the stale mark as an event of its own',
    as: 'editor',
    given: async (server) => ({
      params: await givenFlag(server, { description: 'before', tags: [{ type: 'simple', value: 'kept' }] }),
      body: { description: 'after', type: 'experiment', stale: true, archived: false, name: 'ignored' },
    }),
    answer: { description: 'after', type: 'experiment', stale: true },
    events: [
      {
        type: 'feature-metadata-updated',
        preData: { description: 'before', type: 'release', tags: [{ value: 'kept' }] },
        data: { description: 'after', type: 'experiment', tags: [{ value: 'kept' }] },
      },
      { type: 'feature-stale-on', data: null, preData: null },
    ],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/features/:featureName',
    name: 'records only the cleared stale mark when nothing else changes',
    given: async (server) => {
      const params = await givenFlag(server, { type: 'permission' });
      const body = { features: [params.featureName], stale: true };
      await server.admin.call('POST /api/admin/projects/:projectId/stale', { params, body });
      return { params, body: { type: 'permission', stale: false } };
    },
    answer: { stale: false },
    events: [{ type: 'feature-stale-off' }],
  },
  ...refused('PUT /api/admin/projects/:projectId/features/:featureName', 400, {
    'rejects archived: true': async (server) => ({ ...(await byFlag(server)), body: { archived: true } }),
    'rejects an archived flag': async (server) => ({
      params: await givenArchived(server),
      body: { description: 'new' },
    }),
  }),
  {
    route: 'PATCH /api/admin/projects/:projectId/features/:featureName',
    name: 'applies a JSON Patch',
    given: async (server) => ({
      params: await givenFlag(server, { description: 'goes' }),
      body: [
        { op: 'test', path: '/stale', value: false },
        { op: 'replace', path: '/stale', value: true },
        { op: 'remove', path: '/description' },
        { op: 'add', path: '/impressionData', value: true },
      ],
    }),
    answer: { stale: true, description: null, impressionData: true },
    events: [
      {
        type: 'feature-metadata-updated',
        preData: { description: 'goes', impressionData: false },
        data: { description: null, impressionData: true },
      },
      { type: 'feature-stale-on' },
    ],
  },
  {
    route: 'PATCH /api/admin/projects/:projectId/features/:featureName',
    name: 'clears the stale mark',
    given: async (server) => {
      const call = await byFlag(server);
      const route = 'PATCH /api/admin/projects/:projectId/features/:featureName';
      await server.admin.call(route, { ...call, body: [{ op: 'replace', path: '/stale', value: true }] });
      return { ...call, body: [{ op: 'replace', path: '/stale', value: false }] };
    },
    events: [{ type: 'feature-stale-off' }],
  },
  ...refused('PATCH /api/admin/projects/:projectId/features/:featureName', 403, {
    'rejects a patch of variants': async (server) => ({
      ...(await byFlag(server)),
      body: [{ op: 'add', path: '/variants/0', value: { name: 'a' } }],
    }),
  }),
  ...[
    [{ op: 'replace', path: '/type', value: 'unheard-of' }],
    [{ op: 'remove', path: '/type' }],
    [{ op: 'add', path: '/colour', value: 'red' }],
    [{ op: 'replace', path: '/name', value: 'other' }],
    [{ op: 'test', path: '/stale', value: true }],
    [{ op: 'replace', path: '/description', value: 'a\0b' }],
    [{ op: 'twist', path: '/description' }],
    { op: 'remove', path: '/description' },
  ].map(
    (body): Scenario => ({
      route: 'PATCH /api/admin/projects/:projectId/features/:featureName',
      name: `rejects ${JSON.stringify(body)}`,
      given: async (server) => ({ ...(await byFlag(server)), body }),
      status: 400,
    }),
  ),
];

const clone: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/:projectId/features/:featureName/clone',
    name: 'copies strategies with the new name as group id',
    given: async (server) => {
      const params = await givenFlagIn(server);
      await addStrategy(server, params, { name: 'flexibleRollout', title: 'half', parameters: { rollout: '50' } });
      return { params, body: { name: freshName('clone') } };
    },
    check: ({ json }) => {
      const [development] = json.environments;
      expect(development).toMatchObject({
        enabled: false,
        strategies: [{ title: 'half', parameters: { rollout: '50', groupId: json.name } }],
      });
    },
    events: [
      { type: 'feature-created', data: { type: 'release' } },
      { type: 'feature-strategy-add', environment: 'development', data: { name: 'flexibleRollout', title: 'half' } },
    ],
  },
  ...refused('POST /api/admin/projects/:projectId/features/:featureName/clone', 409, {
    'answers 409 for a name that is taken': async (server) => {
      const params = await givenFlag(server);
      return { params, body: { name: params.featureName } };
    },
  }),
  {
    route: 'POST /api/admin/features/validate',
    name: 'accepts a free name',
    as: 'viewer',
    call: { body: { name: 'free-name', projectId: 'default' } },
  },
  ...refused('POST /api/admin/features/validate', 409, {
    'answers 409 for the name of an archived flag': async (server) => ({
      body: { name: (await givenArchived(server)).featureName },
    }),
  }),
  ...refused('POST /api/admin/features/validate', 400, {
    'rejects an invalid name': { body: { name: 'not a name' } },
  }),
  ...refused('POST /api/admin/features/validate', 404, {
    'answers 404 for an unknown project': { body: { name: 'free-name', projectId: 'nowhere' } },
  }),
];

export const featureScenarios: readonly Scenario[] = [...create, ...read, ...update, ...clone];
