import { expect } from 'vitest';
import { givenContextField } from '#testing/context-fields.ts';
import {
  addStrategy,
  freshName,
  givenArchived,
  givenEnvironment,
  givenFlag,
  givenFlagIn,
  givenProject,
} from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';
import { archiveScenarios, givenArchivedProject } from './archive.scenarios.ts';
import { reviewScenarios } from './review.scenarios.ts';
import { settingsScenarios } from './settings.scenarios.ts';

const byProject = async (server: TestServer) => ({ params: { projectId: await givenProject(server) } });

export const projectScenarios: readonly Scenario[] = [
  ...archiveScenarios,
  ...reviewScenarios,
  ...settingsScenarios,
  {
    route: 'GET /api/admin/projects',
    name: 'lists projects, including the default project',
    as: 'viewer',
    check: ({ json }) => {
      expect(json.version).toBe(1);
      const first = json.projects.find((project: { id: string }) => project.id === 'default');
      expect(first).toMatchObject({ name: 'Default', mode: 'open', archivedAt: null, defaultStickiness: 'default' });
    },
  },
  {
    route: 'GET /api/admin/projects',
    name: 'lists only archived projects with archived=true',
    given: async (server) => {
      await givenArchivedProject(server);
      return { query: { archived: 'true' } };
    },
    check: ({ json }) => {
      expect(json.projects).not.toEqual([]);
      for (const project of json.projects) expect(project.archivedAt).toEqual(expect.any(String));
    },
  },
  ...refused('GET /api/admin/projects', 400, {
    'answers 400 for a value other than true or false': { query: { archived: 'perhaps' } },
  }),
  {
    route: 'GET /api/admin/projects/:projectId/overview',
    name: 'counts flags by type and shows the onboarding status',
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenFlag(server, { name: `${projectId}-a`, type: 'release' }, projectId);
      await givenFlag(server, { name: `${projectId}-b`, type: 'kill-switch' }, projectId);
      await givenArchived(server, projectId);
      return { params: { projectId } };
    },
    answer: {
      version: 1,
      health: 100,
      environments: [{ environment: 'development' }, { environment: 'production' }],
      featureTypeCounts: [
        { type: 'kill-switch', count: 1 },
        { type: 'release', count: 1 },
      ],
      onboardingStatus: { status: 'first-flag-created' },
    },
  },
  {
    route: 'POST /api/admin/projects',
    name: 'creates a project with all enabled environments',
    as: 'editor',
    given: async () => {
      const id = freshName('created');
      return { body: { id, name: 'Created ✓', description: 'of emoji 🚀', defaultStickiness: 'userId' } };
    },
    answer: {
      name: 'Created ✓',
      description: 'of emoji 🚀',
      mode: 'open',
      defaultStickiness: 'userId',
      environments: ['development', 'production'],
      changeRequestEnvironments: [],
      featureLimit: null,
    },
    events: [
      {
        type: 'project-created',
        environment: null,
        preData: null,
        data: { name: 'Created ✓', defaultStickiness: 'userId', environments: ['development', 'production'] },
      },
    ],
  },
  {
    route: 'POST /api/admin/projects',
    name: 'makes the id from the name',
    call: { body: { name: '  Größe & Maß  ', environments: ['production'] } },
    answer: { id: 'gro-e-ma', environments: ['production'] },
    events: [{ type: 'project-created', project: 'gro-e-ma' }],
  },
  ...refused('POST /api/admin/projects', 409, {
    'answers 409 for an id that is taken': { body: { id: 'default', name: 'Second' } },
  }),
  {
    route: 'POST /api/admin/projects',
    name: 'creates a project without environments',
    call: { body: { id: 'void', name: 'Void', environments: [] } },
    answer: { environments: [] },
    check: ({ json }) => expect(json).not.toHaveProperty('description'),
    events: [{ type: 'project-created', project: 'void', data: { environments: [] } }],
  },
  {
    route: 'POST /api/admin/projects',
    name: 'creates a private project',
    call: { body: { id: 'secret', name: 'Secret', mode: 'private' } },
    answer: { mode: 'private' },
    events: [{ type: 'project-created', data: { mode: 'private' } }],
  },
  {
    route: 'PUT /api/admin/projects/:projectId',
    name: 'updates the project and records the old and new values',
    given: async (server) => ({ ...(await byProject(server)), body: { name: 'Renamed', description: 'd' } }),
    events: [{ type: 'project-updated', preData: { description: null }, data: { name: 'Renamed', description: 'd' } }],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId',
    name: 'deletes a project with its archived flags',
    given: async (server) => {
      const { params } = await byProject(server);
      await givenArchived(server, params.projectId);
      return { params };
    },
    events: [
      { type: 'feature-deleted', data: null, preData: { archived: true } },
      { type: 'project-deleted', data: null, preData: null },
    ],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId',
    name: 'deletes the segments and context fields of the project only',
    given: async (server) => {
      const { params } = await byProject(server);
      const { projectId } = params;
      const { id } = await givenSegment(server, { project: projectId });
      await givenSegment(server, { project: 'default' });
      for (const project of [projectId, 'default', null]) await givenContextField(server, { project });
      const flag = { ...(await givenFlag(server, {}, projectId)), environment: 'development' };
      await addStrategy(server, flag, { name: 'default', segments: [id] });
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: flag });
      return { params };
    },
    events: [
      { type: 'feature-deleted' },
      {
        type: 'segment-deleted',
        project: expect.any(String) as string,
        data: null,
        preData: { name: expect.any(String) },
      },
      { type: 'context-field-deleted', project: expect.any(String) as string, data: null },
      { type: 'project-deleted' },
    ],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId',
    name: 'revokes tokens of the project only, and keeps tokens that have other projects',
    given: async (server) => {
      const call = await byProject(server);
      const { projectId } = call.params;
      for (const projects of [[projectId], [projectId, 'default'], ['*']]) {
        const body = { tokenName: 'sdk', type: 'backend', environment: 'development', projects };
        expect((await server.admin.call('POST /api/admin/api-tokens', { body })).status).toBe(201);
      }
      return call;
    },
    events: [
      { type: 'api-token-deleted', data: null },
      { type: 'api-token-updated', data: { projects: ['default'] } },
      { type: 'project-deleted' },
    ],
  },
  ...refused('DELETE /api/admin/projects/:projectId', 403, {
    'answers 403 for the default project': { params: { projectId: 'default' } },
    'answers 403 while the project has flags that are not archived': async (server) => {
      const call = await byProject(server);
      await givenFlag(server, {}, call.params.projectId);
      return call;
    },
  }),
  ...refused('POST /api/admin/projects', 400, {
    'answers 400 for an unknown environment': {
      body: { id: 'lost', name: 'Lost', environments: ['production', 'nowhere'] },
    },
    'answers 400 for a lone surrogate in a name': {
      raw: '{"name":"\\ud83d"}',
      headers: { 'content-type': 'application/json' },
    },
    'answers 400 for a reserved id': { body: { id: 'archive', name: 'x' } },
  }),
  {
    route: 'POST /api/admin/projects/validate',
    name: 'answers 200 for a free id',
    call: { body: { id: 'still-free' } },
  },
  ...refused('POST /api/admin/projects/validate', 409, {
    'answers 409 for an id that is taken': { body: { id: 'default' } },
  }),
  {
    route: 'POST /api/admin/projects/:projectId/environments',
    name: 'adds an environment; flags of the project are off there',
    given: async (server) => {
      const { params } = await byProject(server);
      await givenFlag(server, { name: `${params.projectId}-flag` }, params.projectId);
      return { params, body: { environment: await givenEnvironment(server) } };
    },
    events: [{ type: 'project-environment-added', data: null, preData: null, featureName: null }],
  },
  ...refused('POST /api/admin/projects/:projectId/environments', 409, {
    'answers 409 for an environment that the project has': async (server) => ({
      ...(await byProject(server)),
      body: { environment: 'production' },
    }),
  }),
  ...refused('POST /api/admin/projects/:projectId/environments', 404, {
    'answers 404 for an unknown environment': async (server) => ({
      ...(await byProject(server)),
      body: { environment: 'nowhere' },
    }),
  }),
  {
    route: 'DELETE /api/admin/projects/:projectId/environments/:environment',
    name: 'removes an environment',
    given: async (server) => ({
      params: { projectId: await givenProject(server), environment: 'production' },
    }),
    events: [{ type: 'project-environment-removed', environment: 'production', data: null, preData: null }],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId/environments/:environment',
    name: 'releases the holds on its flags in the environment, and no others',
    given: async (server) => {
      const flag = await givenFlagIn(server, 'production', await givenProject(server));
      await givenHold(server, flag);
      await givenHold(server, { ...flag, environment: 'development' });
      await givenHold(server, await givenFlagIn(server, 'production'));
      return { params: flag };
    },
    events: [
      { type: 'feature-lease-released', environment: 'production', preData: { effect: 'off' }, data: null },
      { type: 'project-environment-removed', environment: 'production' },
    ],
  },
  {
    route: 'DELETE /api/admin/projects/:projectId/environments/:environment',
    name: 'removes the last environment',
    given: async (server) => ({
      params: {
        projectId: await givenProject(server, { environments: ['production'] }),
        environment: 'production',
      },
    }),
    events: [{ type: 'project-environment-removed', environment: 'production' }],
  },
  ...refused('DELETE /api/admin/projects/:projectId/environments/:environment', 404, {
    'answers 404 for an environment that the project does not have': async (server) => ({
      params: {
        projectId: await givenProject(server, { environments: ['production'] }),
        environment: 'development',
      },
    }),
  }),
];
