import { expect } from 'vitest';
import {
  givenArchived,
  givenDependency,
  givenEnabled,
  givenEnvironment,
  givenFlag,
  givenProject,
  givenStrategy,
} from '#testing/flags.ts';
import { givenPlan, rolloutTo } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';

const route = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject' as const;

export const moveScenarios: readonly Scenario[] = [
  {
    route,
    name: 'moves a flag with its strategies, states and tags',
    given: async (server) => {
      const environment = await givenEnvironment(server);
      const environments = ['development', 'production', environment];
      const newProjectId = await givenProject(server, { environments });
      return { params: await givenEnabled(server), body: { newProjectId } };
    },
    check: async (_reply, server) => {
      const newest = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      const { featureName, project } = newest.json.events[0];
      const { json } = await server.admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
        params: { projectId: project, featureName },
      });
      const states = new Map(json.environments.map((environment: { name: string }) => [environment.name, environment]));
      expect(states.size).toBe(3);
      expect(states.get('development')).toMatchObject({ enabled: true, strategies: [{ name: 'flexibleRollout' }] });
    },
    events: [
      {
        type: 'feature-project-change',
        project: expect.stringMatching(/^project-/) as unknown as string,
        preData: null,
        data: { oldProject: 'default', newProject: expect.stringMatching(/^project-/) as unknown as string },
      },
    ],
  },
  {
    route,
    name: 'records no event when the flag is in the project already',
    given: async (server) => ({ params: await givenFlag(server), body: { newProjectId: 'default' } }),
  },
  ...refused(route, 400, {
    'rejects a flag whose name does not match the pattern of the new project': async (server) => {
      const newProjectId = await givenProject(server);
      const body = { featureNaming: { pattern: 'team-.*' } };
      await server.admin.call('PUT /api/admin/projects/:projectId/settings', {
        params: { projectId: newProjectId },
        body,
      });
      return { params: await givenFlag(server), body: { newProjectId } };
    },
    'rejects an archived flag': async (server) => ({
      params: await givenArchived(server),
      body: { newProjectId: await givenProject(server) },
    }),
  }),
  {
    route,
    name: 'keeps segments that flags of all projects may use',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const params = await givenStrategy(server, { name: 'default', segments: [id] });
      return { params, body: { newProjectId: await givenProject(server) } };
    },
    events: [{ type: 'feature-project-change' }],
  },
  ...refused(route, 403, {
    'rejects a flag beyond the limit of the new project': async (server) => {
      const newProjectId = await givenProject(server, { featureLimit: 1 });
      await givenFlag(server, {}, newProjectId);
      return { params: await givenFlag(server), body: { newProjectId } };
    },
    'rejects a project that lacks an environment of the flag': async (server) => ({
      params: await givenFlag(server),
      body: { newProjectId: await givenProject(server, { environments: ['production'] }) },
    }),
    'rejects a flag that has a parent': async (server) => ({
      params: await givenDependency(server),
      body: { newProjectId: await givenProject(server) },
    }),
    'rejects a flag that has children': async (server) => {
      const { projectId, parent } = await givenDependency(server);
      return { params: { projectId, featureName: parent }, body: { newProjectId: await givenProject(server) } };
    },
    'rejects a flag whose strategy uses a segment of the old project, and names the segment': async (server) => {
      const { id } = await givenSegment(server, { name: 'stays-at-home', project: 'default' });
      const params = await givenStrategy(server, { name: 'default', segments: [id] });
      return { params, body: { newProjectId: await givenProject(server) } };
    },
    'rejects a flag whose release plan uses a segment of the old project in a later milestone': async (server) => {
      const { id } = await givenSegment(server, { name: 'stays-for-later', project: 'default' });
      const later = { ...rolloutTo(50), strategies: [{ name: 'default', segments: [id] }] };
      const { params } = await givenPlan(server, [rolloutTo(10, 60), later]);
      return { params, body: { newProjectId: await givenProject(server) } };
    },
  }),
];
