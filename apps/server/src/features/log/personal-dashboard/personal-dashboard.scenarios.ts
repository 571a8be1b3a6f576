import { expect } from 'vitest';
import { givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

const mine = 'GET /api/admin/personal-dashboard';
const ofProject = 'GET /api/admin/personal-dashboard/:projectId';

export const personalDashboardScenarios: readonly Scenario[] = [
  {
    route: mine,
    name: 'lists only the administrators for a user without projects and flags',
    as: 'viewer',
    given: async (server) => {
      await givenFlag(server);
      return {};
    },
    check: ({ json }) =>
      expect(json).toEqual({
        projects: [],
        flags: [],
        administrators: expect.any(Array),
        admins: expect.any(Array),
        projectOwners: [],
      }),
  },
  {
    route: ofProject,
    name: 'returns the insights and the last events of a project',
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenFlag(server, { name: 'on-the-dashboard' }, projectId);
      return { params: { projectId } };
    },
    answer: {
      project: {
        health: 100,
        technicalDebt: 0,
        featureCount: 1,
        staleFeatureCount: 0,
        onboardingStatus: { status: 'first-flag-created', feature: 'on-the-dashboard' },
      },
      roles: [],
      latestEvents: expect.arrayContaining([
        expect.objectContaining({
          type: 'feature-created',
          featureName: 'on-the-dashboard',
          summary: expect.stringContaining('**on-the-dashboard**'),
        }),
      ]),
    },
  },
];
