import { expect } from 'vitest';
import {
  givenArchived,
  givenDependency,
  givenEnabled,
  givenEnvironment,
  givenFlag,
  givenProject,
  givenStrategy,
} from '../../../../testing/flags.ts';
import type { Scenario } from '../../../../testing/scenario.ts';
import { givenSegment } from '../../../../testing/segments.ts';

const route = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject' as const;

export const moveScenarios: readonly Scenario[] = [
  {
    route,
    name: 'moves a flag with all that belongs to it',
    given: async (server) => {
      const environment = await givenEnvironment(server);
      const environments = ['development', 'production', environment];
      const newProjectId = await givenProject(server, { environments });
      return { params: await givenEnabled(server), body: { newProjectId } };
    },
    status: 200,
    check: async (_reply, server) => {
      const newest = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      const { featureName, project } = newest.json.events[0];
      const { json } = await server.admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
        params: { projectId: project, featureName },
      });
      const states = new Map(json.environments.map((one: { name: string }) => [one.name, one]));
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
    name: 'refuses a flag that is not named as those of the project must be',
    given: async (server) => {
      const newProjectId = await givenProject(server);
      const body = { featureNaming: { pattern: 'team-.*' } };
      await server.admin.call('PUT /api/admin/projects/:projectId/settings', {
        params: { projectId: newProjectId },
        body,
      });
      return { params: await givenFlag(server), body: { newProjectId } };
    },
    status: 400,
    answer: { name: 'PatternError' },
  },
  {
    route,
    name: 'refuses a flag more than the project takes',
    given: async (server) => {
      const newProjectId = await givenProject(server, { featureLimit: 1 });
      await givenFlag(server, {}, newProjectId);
      return { params: await givenFlag(server), body: { newProjectId } };
    },
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
  {
    route,
    name: 'records nothing when it is there already',
    given: async (server) => ({ params: await givenFlag(server), body: { newProjectId: 'default' } }),
    status: 200,
  },
  {
    route,
    name: 'refuses a project that lacks an environment of the flag',
    given: async (server) => ({
      params: await givenFlag(server),
      body: { newProjectId: await givenProject(server, { environments: ['production'] }) },
    }),
    status: 403,
    answer: { name: 'IncompatibleProjectError' },
  },
  {
    route,
    name: 'does not part a flag from the one it depends on',
    given: async (server) => ({
      params: await givenDependency(server),
      body: { newProjectId: await givenProject(server) },
    }),
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
  {
    route,
    name: 'does not part a flag from those that depend on it',
    given: async (server) => {
      const { projectId, parent } = await givenDependency(server);
      return { params: { projectId, featureName: parent }, body: { newProjectId: await givenProject(server) } };
    },
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
  {
    route,
    name: 'does not move an archived flag',
    given: async (server) => ({
      params: await givenArchived(server),
      body: { newProjectId: await givenProject(server) },
    }),
    status: 400,
    answer: { name: 'ArchivedFeatureError' },
  },
  {
    route,
    name: 'does not know the new project',
    given: async (server) => ({ params: await givenFlag(server), body: { newProjectId: 'nowhere' } }),
    status: 404,
  },
  {
    route,
    name: 'does not know a flag of another project there',
    given: async (server) => ({
      params: { ...(await givenFlag(server)), projectId: await givenProject(server) },
      body: { newProjectId: 'default' },
    }),
    status: 404,
  },
  {
    route,
    name: 'is closed to a viewer',
    as: 'viewer',
    given: async (server) => ({ params: await givenFlag(server), body: { newProjectId: 'default' } }),
    status: 403,
    answer: { permissions: ['MOVE_FEATURE_TOGGLE'] },
  },
  {
    route,
    name: 'takes the segments along that flags of all projects may use',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const params = await givenStrategy(server, { name: 'default', segments: [id] });
      return { params, body: { newProjectId: await givenProject(server) } };
    },
    status: 200,
    events: [{ type: 'feature-project-change' }],
  },
  {
    route,
    name: 'refuses while a strategy uses a segment of its project, and names it',
    given: async (server) => {
      const { id } = await givenSegment(server, { name: 'stays-at-home', project: 'default' });
      const params = await givenStrategy(server, { name: 'default', segments: [id] });
      return { params, body: { newProjectId: await givenProject(server) } };
    },
    status: 403,
    answer: { name: 'IncompatibleProjectError', message: expect.stringContaining('stays-at-home') },
  },
];
