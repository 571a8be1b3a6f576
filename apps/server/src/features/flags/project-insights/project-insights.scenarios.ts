import { expect } from 'vitest';
import { givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

const healthReport = 'GET /api/admin/projects/:projectId/health-report';
const insights = 'GET /api/admin/projects/:projectId/insights';
const dora = 'GET /api/admin/projects/:projectId/dora';
const status = 'GET /api/admin/projects/:projectId/status';

const lately = { createdCurrentWindow: 1, createdPastWindow: 0, archivedCurrentWindow: 0 };

const answers: readonly Pick<Scenario, 'route' | 'name' | 'check'>[] = [
  {
    route: healthReport,
    name: 'shows the health of a project and its flags',
    check: ({ json }) =>
      expect(json).toEqual({
        version: 1,
        name: expect.any(String),
        description: null,
        defaultStickiness: 'default',
        mode: 'open',
        featureLimit: null,
        featureNaming: expect.any(Object),
        changeReason: { required: false, pattern: null },
        members: 0,
        health: 100,
        technicalDebt: 0,
        environments: expect.arrayContaining([expect.objectContaining({ environment: 'production' })]),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        favorite: false,
        stats: expect.objectContaining(lately),
        activeCount: 1,
        potentiallyStaleCount: 0,
        staleCount: 0,
        features: [expect.objectContaining({ type: 'release', stale: false, environments: expect.any(Array) })],
      }),
  },
  {
    route: insights,
    name: 'shows recent activity',
    check: ({ json }) =>
      expect(json).toMatchObject({
        stats: lately,
        health: { rating: 100, activeCount: 1, potentiallyStaleCount: 0, staleCount: 0 },
        technicalDebt: { rating: 0, activeCount: 1, potentiallyStaleCount: 0, staleCount: 0 },
        leadTime: { projectAverage: 0, features: [] },
        featureTypeCounts: [{ type: 'release', count: 1 }],
        members: { currentMembers: 0, change: 0 },
      }),
  },
  {
    route: status,
    name: 'shows resources, activity by day and flags by stage',
    check: ({ json }) => {
      const stage = { averageDays: null, currentFlags: 0 };
      expect(json).toEqual({
        resources: { members: 0, apiTokens: 0, segments: 0 },
        activityCountByDate: [{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: expect.any(Number) }],
        health: { current: 100 },
        technicalDebt: { current: 0 },
        lifecycleSummary: {
          initial: { averageDays: null, currentFlags: 1 },
          preLive: stage,
          live: stage,
          completed: stage,
          archived: { currentFlags: 0, last30Days: 0 },
        },
        staleFlags: { total: 0 },
      });
    },
  },
  {
    route: dora,
    name: 'lists no lead times before a flag was evaluated in production',
    check: ({ json }) => expect(json).toEqual({ projectAverage: 0, features: [] }),
  },
];

export const projectInsightsScenarios = answers.map(
  (scenario): Scenario => ({
    ...scenario,
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      await givenFlag(server, {}, projectId);
      return { params: { projectId } };
    },
    status: 200,
  }),
);
