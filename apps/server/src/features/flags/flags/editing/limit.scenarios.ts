import { freshName, givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

/** Creates a project that has reached its limit of one flag. */
const inFull = async (server: TestServer) => givenFlag(server, {}, await givenProject(server, { featureLimit: 1 }));

export const limitScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/:projectId/features',
    name: 'rejects a flag beyond the limit of the project',
    given: async (server) => ({ params: await inFull(server), body: { name: freshName('over') } }),
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
  {
    route: 'POST /api/admin/projects/:projectId/features/:featureName/clone',
    name: 'rejects a clone beyond the limit of the project',
    given: async (server) => ({ params: await inFull(server), body: { name: freshName('over') } }),
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
  {
    route: 'POST /api/admin/archive/revive/:featureName',
    name: 'rejects reviving a flag beyond the limit of the project',
    given: async (server) => {
      const params = await givenArchived(server, await givenProject(server, { featureLimit: 1 }));
      await givenFlag(server, {}, params.projectId);
      return { params };
    },
    status: 403,
    answer: { name: 'InvalidOperationError' },
  },
];
