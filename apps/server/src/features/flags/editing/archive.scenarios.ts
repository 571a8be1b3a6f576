import { expect } from 'vitest';
import { givenArchived, givenFlag, givenProject } from '../../../../testing/flags.ts';
import type { Scenario } from '../../../../testing/scenario.ts';
import type { TestServer } from '../../../../testing/server.ts';

type Given = (server: TestServer, projectId?: string) => Promise<{ readonly featureName: string }>;

/** A flag as `given` makes it, as a path that names no project. */
const alone = (given: Given) => async (server: TestServer) => ({
  params: { featureName: (await given(server)).featureName },
});
const active: Given = (server, projectId) => givenFlag(server, {}, projectId);

/** Two flags of a project of their own. */
const both =
  (given: Given, more: object = {}) =>
  async (server: TestServer) => {
    const projectId = await givenProject(server);
    const names = [await given(server, projectId), await given(server, projectId)].map((one) => one.featureName);
    return { params: { projectId }, body: { features: [...names, names[0]], ...more } };
  };

/** A flag of the project default, named in another project. */
const foreign =
  (given: Given, more: object = {}) =>
  async (server: TestServer) => ({
    params: { projectId: await givenProject(server) },
    body: { features: [(await given(server)).featureName], ...more },
  });

const one: readonly Scenario[] = [
  {
    route: 'DELETE /api/admin/projects/:projectId/features/:featureName',
    name: 'archives a flag',
    as: 'editor',
    given: async (server) => ({ params: await givenFlag(server) }),
    status: 202,
    events: [{ type: 'feature-archived', project: 'default', data: null, preData: null }],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId/features/:featureName',
    name: 'records nothing when it is archived already',
    given: async (server) => ({ params: await givenArchived(server) }),
    status: 202,
  },
  {
    route: 'DELETE /api/admin/projects/:projectId/features/:featureName',
    name: 'does not know a flag of another project there',
    given: async (server) => ({
      params: { ...(await givenFlag(server)), projectId: await givenProject(server) },
    }),
    status: 404,
  },
  {
    route: 'DELETE /api/admin/projects/:projectId/features/:featureName',
    name: 'is closed to a viewer',
    as: 'viewer',
    given: async (server) => ({ params: await givenFlag(server) }),
    status: 403,
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'brings a flag back',
    as: 'editor',
    given: alone(givenArchived),
    status: 200,
    events: [{ type: 'feature-revived', project: 'default', data: null, preData: null }],
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'records nothing for a flag in use',
    given: alone(active),
    status: 200,
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'is closed to who may not change flags of its project',
    as: 'viewer',
    given: alone(givenArchived),
    status: 403,
    answer: { name: 'PermissionError', permissions: ['UPDATE_FEATURE'] },
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'does not know the flag',
    call: { params: { featureName: 'nowhere' } },
    status: 404,
  },
  {
    route: 'DELETE /api/admin/archive/:featureName',
    name: 'deletes an archived flag, recording what it was with its tags',
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
    name: 'refuses a flag in use',
    given: alone(active),
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
  {
    route: 'DELETE /api/admin/archive/:featureName',
    name: 'is closed to who may not delete flags of its project',
    as: 'viewer',
    given: alone(givenArchived),
    status: 403,
    answer: { name: 'PermissionError', permissions: ['DELETE_FEATURE'] },
  },
  {
    route: 'DELETE /api/admin/archive/:featureName',
    name: 'does not know the flag',
    call: { params: { featureName: 'nowhere' } },
    status: 404,
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
    name: 'archives none when one of them is of another project',
    given: async (server) => {
      const { params, body } = await both(active)(server);
      return { params, body: { features: [...body.features, (await givenFlag(server)).featureName] } };
    },
    status: 404,
  },
  {
    route: 'POST /api/admin/projects/:projectId/archive',
    name: 'refuses a list without flags',
    call: { params: { projectId: 'default' }, body: { features: [] } },
    status: 400,
  },
  {
    route: 'POST /api/admin/projects/:projectId/revive',
    name: 'brings flags back',
    given: both(givenArchived),
    status: 200,
    events: [{ type: 'feature-revived' }, { type: 'feature-revived' }],
  },
  {
    route: 'POST /api/admin/projects/:projectId/revive',
    name: 'does not know a flag of another project there',
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
    name: 'deletes none when one of them is in use',
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
    name: 'does not know a flag of another project there',
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
    name: 'takes the mark away',
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
    name: 'records nothing when nothing changes',
    given: both(active, { stale: false }),
    status: 202,
  },
  {
    route: 'POST /api/admin/projects/:projectId/stale',
    name: 'does not change an archived flag',
    given: both(givenArchived, { stale: true }),
    status: 400,
    answer: { name: 'ArchivedFeatureError' },
  },
];

export const archiveScenarios: readonly Scenario[] = [...one, ...many];
