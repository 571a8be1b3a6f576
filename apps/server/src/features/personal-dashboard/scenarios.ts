import { expect } from 'vitest';
import { givenFlag, givenProject } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';

export const personalDashboardScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/personal-dashboard',
    name: 'tells what the caller made and favors',
    given: async (server) => {
      const projectId = await givenProject(server);
      await server.admin.call('POST /api/admin/projects/:projectId/favorites', { params: { projectId } });
      await givenFlag(server, {}, projectId);
      return {};
    },
    status: 200,
    answer: {
      admins: [{ id: expect.any(Number) }],
      projects: [{ health: 100, technicalDebt: 0, featureCount: 1 }],
      flags: [{ type: 'release', project: expect.stringMatching(/^project-/) }],
    },
  },
  { route: 'GET /api/admin/personal-dashboard', name: 'is closed to strangers', as: 'nobody', status: 401 },
  {
    route: 'GET /api/admin/personal-dashboard/:projectId',
    name: 'tells how a project is and what happened in it',
    given: async (server) => {
      const projectId = await givenProject(server);
      const { featureName } = await givenFlag(server, {}, projectId);
      const features = [featureName];
      const body = { stale: true, features };
      await server.admin.call('POST /api/admin/projects/:projectId/stale', { params: { projectId }, body });
      await givenFlag(server, {}, projectId);
      return { params: { projectId } };
    },
    status: 200,
    answer: {
      insights: {
        health: 50,
        technicalDebt: 50,
        totalFlags: 2,
        activeFlags: 1,
        staleFlags: 1,
        potentiallyStaleFlags: 0,
      },
      onboardingStatus: { status: 'first-flag-created' },
      roles: [],
      owners: [{ ownerType: 'system' }],
    },
    check: ({ json }) => {
      expect(json.latestEvents).toHaveLength(4);
      expect(json.latestEvents[0].summary).toMatch(/flag created/);
      expect(json.latestEvents[0]).not.toHaveProperty('data');
    },
  },
  {
    route: 'GET /api/admin/personal-dashboard/:projectId',
    name: 'does not know the project',
    call: { params: { projectId: 'nowhere' } },
    status: 404,
  },
];
