import { givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

type Given = (server: TestServer, projectId?: string) => Promise<{ readonly featureName: string }>;

/** Returns the path parameters of a flag from `given`, for paths without a project. */
const alone = (given: Given) => async (server: TestServer) => ({
  params: { featureName: (await given(server)).featureName },
});
const active: Given = (server, projectId) => givenFlag(server, {}, projectId);

/** Creates two flags in a new project. */
const both =
  (given: Given, more: object = {}) =>
  async (server: TestServer) => {
    const projectId = await givenProject(server);
    const names = [await given(server, projectId), await given(server, projectId)].map((flag) => flag.featureName);
    return { params: { projectId }, body: { features: [...names, names[0]], ...more } };
  };

/** Returns the parameters of a flag of the project default with the id of another project. */
const foreign =
  (given: Given, more: object = {}) =>
  async (server: TestServer) => ({
    params: { projectId: await givenProject(server) },
    body: { features: [(await given(server)).featureName], ...more },
  });

const singleFlag: readonly Scenario[] = [
  {
    route: 'DELETE /api/admin/projects/:projectId/features/:featureName',
    name: 'archives a flag',
    as: 'editor',
    given: async (server) => ({ params: await givenFlag(server) }),
    events: [{ type: 'feature-archived', project: 'default', data: null, preData: null }],
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'revives a flag',
    as: 'editor',
    given: alone(givenArchived),
    events: [{ type: 'feature-revived', project: 'default', data: null, preData: null }],
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'answers 403 without the permission UPDATE_FEATURE in the project of the flag',
    as: 'viewer',
    given: alone(givenArchived),
    status: 403,
    answer: { name: 'PermissionError', permissions: ['UPDATE_FEATURE'] },
  },
  {
    route: 'DELETE /api/admin/archive/:featureName',
    name: 'deletes an archived flag and records the flag with its tags',
    as: 'editor',
    given: async (server) => {
      const params = await givenFlag(server, { tags: [{ type: 'simple', value: 'gone' }] });
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
      return { params };
    },
    events: [
      { type: 'feature-deleted', data: null, preData: { archived: true, tags: [{ type: 'simple', value: 'gone' }] } },
    ],
  },
  ...refused('DELETE /api/admin/archive/:featureName', 403, {
    'rejects an active flag': alone(active),
  }),
  {
    route: 'DELETE /api/admin/archive/:featureName',
    name: 'answers 403 without the permission DELETE_FEATURE in the project of the flag',
    as: 'viewer',
    given: alone(givenArchived),
    status: 403,
    answer: { name: 'PermissionError', permissions: ['DELETE_FEATURE'] },
  },
];

const many: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/:projectId/archive',
    name: 'archives each flag once',
    as: 'editor',
    given: both(active),
    events: [{ type: 'feature-archived' }, { type: 'feature-archived' }],
  },
  ...refused('POST /api/admin/projects/:projectId/archive', 404, {
    'archives no flag when one belongs to another project': async (server) => {
      const { params, body } = await both(active)(server);
      return { params, body: { features: [...body.features, (await givenFlag(server)).featureName] } };
    },
  }),
  ...refused('POST /api/admin/projects/:projectId/archive', 400, {
    'rejects an empty list': { params: { projectId: 'default' }, body: { features: [] } },
  }),
  {
    route: 'POST /api/admin/projects/:projectId/revive',
    name: 'revives flags',
    given: both(givenArchived),
    events: [{ type: 'feature-revived' }, { type: 'feature-revived' }],
  },
  ...refused('POST /api/admin/projects/:projectId/revive', 404, {
    'answers 404 for a flag of another project': foreign(givenArchived),
  }),
  {
    route: 'POST /api/admin/projects/:projectId/delete',
    name: 'deletes archived flags',
    given: both(givenArchived),
    events: [
      { type: 'feature-deleted', preData: { archived: true } },
      { type: 'feature-deleted', preData: { archived: true } },
    ],
  },
  ...refused('POST /api/admin/projects/:projectId/delete', 403, {
    'deletes no flag when one is active': async (server) => {
      const { params, body } = await both(givenArchived)(server);
      const { featureName } = await givenFlag(server, {}, params.projectId);
      return { params, body: { features: [...body.features, featureName] } };
    },
  }),
  ...refused('POST /api/admin/projects/:projectId/delete', 404, {
    'answers 404 for a flag of another project': foreign(givenArchived),
  }),
  {
    route: 'POST /api/admin/projects/:projectId/stale',
    name: 'marks flags as stale',
    given: both(active, { stale: true }),
    events: [
      { type: 'feature-stale-on', data: null, preData: null },
      { type: 'feature-stale-on', data: null, preData: null },
    ],
  },
  {
    route: 'POST /api/admin/projects/:projectId/stale',
    name: 'clears the stale mark',
    given: async (server) => {
      const { params, body } = await both(active, { stale: true })(server);
      await server.admin.call('POST /api/admin/projects/:projectId/stale', { params, body });
      return { params, body: { features: body.features.slice(0, 1), stale: false } };
    },
    events: [{ type: 'feature-stale-off' }],
  },
  ...refused('POST /api/admin/projects/:projectId/stale', 400, {
    'rejects an archived flag': both(givenArchived, { stale: true }),
  }),
];

export const archiveScenarios: readonly Scenario[] = [...singleFlag, ...many];
