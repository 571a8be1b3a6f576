import { expect } from 'vitest';
import { givenApplication } from '#testing/applications.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

const route = 'GET /api/admin/projects/:projectId/features/:featureName/connections';

export const connectionScenarios: readonly Scenario[] = [
  {
    route,
    name: 'lists the application that evaluates the flag before one that reports and has not evaluated any flag',
    as: 'viewer',
    given: async (server) => {
      const projectId = await givenProject(server);
      const { featureName } = await givenFlag(server, {}, projectId);
      await givenApplication(server, { sdkVersion: 'unleash-client-node:6.12.1', flags: [featureName] });
      server.clock.advance(1000);
      await givenApplication(server, { sdkVersion: 'unleash-client-go:5.0.3', strategies: ['default'] });
      return { params: { projectId, featureName } };
    },
    check: ({ json }) => {
      const [evaluating, reporting] = json.applications;
      expect(evaluating).toMatchObject({
        environment: 'development',
        sdkVersion: 'unleash-client-node:6.12.1',
        lastSeenAt: evaluating.evaluatedAt,
        usesProject: true,
      });
      expect(reporting).toMatchObject({
        sdkVersion: 'unleash-client-go:5.0.3',
        evaluatedAt: null,
        usesProject: false,
      });
    },
  },
  {
    route,
    name: 'lists an application that evaluates another flag of the project, and none of another project',
    given: async (server) => {
      // Applications that reported for other scenarios are no longer recent.
      server.clock.advance(11 * 60 * 1000);
      const projectId = await givenProject(server);
      const { featureName } = await givenFlag(server, {}, projectId);
      const neighbour = await givenFlag(server, {}, projectId);
      const foreign = await givenFlag(server, {}, await givenProject(server));
      await givenApplication(server, { sdkVersion: 'of-other-project:1', flags: [foreign.featureName] });
      await givenApplication(server, {
        sdkVersion: 'of-project:1',
        flags: [neighbour.featureName, foreign.featureName],
      });
      return { params: { projectId, featureName } };
    },
    check: ({ json }) =>
      expect(json.applications).toMatchObject([{ sdkVersion: 'of-project:1', evaluatedAt: null, usesProject: true }]),
  },
  {
    route,
    name: 'lists nothing for a flag without requests',
    given: async (server) => {
      const projectId = await givenProject(server);
      const { featureName } = await givenFlag(server, {}, projectId);
      // Applications that reported for other scenarios are no longer recent.
      server.clock.advance(11 * 60 * 1000);
      return { params: { projectId, featureName } };
    },
    answer: { applications: [] },
  },
];
