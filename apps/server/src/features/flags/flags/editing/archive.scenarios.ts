import { expect } from 'vitest';
import { givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';
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
    status: 202,
    events: [{ type: 'feature-archived', project: 'default', data: null, preData: null }],
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'revives a flag',
    as: 'editor',
    given: alone(givenArchived),
    status: 200,
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
    status: 200,
    events: [
      { type: 'feature-deleted', data: null, preData: { archived: true, tags: [{ type: 'simple', value: 'gone' }] } },
    ],
  },
  {
    route: 'DELETE /api/admin/archive/:featureName',
    name: 'rejects an active flag',
    given: alone(active),
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
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
    status: 202,
    events: [{ type: 'feature-archived' }, { type: 'feature-archived' }],
  },
  {
    route: 'POST /api/admin/projects/:projectId/archive',
    name: 'archives no flag when one belongs to another project',
    given: async (server) => {
      const { params, body } = await both(active)(server);
      return { params, body: { features: [...body.features, (await givenFlag(server)).featureName] } };
    },
    status: 404,
  },
  {
    route: 'POST /api/admin/projects/:projectId/archive',
    name: 'rejects an empty list',
    call: { params: { projectId: 'default' }, body: { features: [] } },
    status: 400,
  },
  {
    route: 'POST /api/admin/projects/:projectId/revive',
    name: 'revives flags',
    given: both(givenArchived),
    status: 200,
    events: [{ type: 'feature-revived' }, { type: 'feature-revived' }],
  },
  {
    route: 'POST /api/admin/projects/:projectId/revive',
    name: 'answers 404 for a flag of another project',
    given: foreign(givenArchived),
    status: 404,
  },
  {
    route: 'POST /api/admin/projects/:projectId/delete',
    name: 'deletes archived flags',
    given: both(givenArchived),
    status: 200,
    events: [
      { type: 'feature-deleted', preData: { archived: true } },
      { type: 'feature-deleted', preData: { archived: true } },
    ],
  },
  {
    route: 'POST /api/admin/projects/:projectId/delete',
    name: 'deletes no flag when one is active',
    given: async (server) => {
      const { params, body } = await both(givenArchived)(server);
      const { featureName } = await givenFlag(server, {}, params.projectId);
      return { params, body: { features: [...body.features, featureName] } };
    },
    status: 403,
    check: ({ json }) => expect(json.message).toMatch(/^Only archived flags/),
  },
  {
    route: 'POST /api/admin/projects/:projectId/delete',
    name: 'answers 404 for a flag of another project',
    given: foreign(givenArchived),
    status: 404,
  },
  {
    route: 'POST /api/admin/projects/:projectId/stale',
    name: 'marks flags as stale',
    given: both(active, { stale: true }),
    status: 202,
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
    status: 202,
    events: [{ type: 'feature-stale-off' }],
  },
  {
    route: 'POST /api/admin/projects/:projectId/stale',
    name: 'rejects an archived flag',
    given: both(givenArchived, { stale: true }),
    status: 400,
    answer: { name: 'ArchivedFeatureError' },
  },
];

export const archiveScenarios: readonly Scenario[] = [...singleFlag, ...many];
