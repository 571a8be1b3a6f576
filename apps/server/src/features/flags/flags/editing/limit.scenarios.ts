import { freshName, givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

/** Creates a project that has reached its limit of one flag. */
const inFull = async (server: TestServer) => givenFlag(server, {}, await givenProject(server, { featureLimit: 1 }));

export const limitScenarios: readonly Scenario[] = [
  ...refused('POST /api/admin/projects/:projectId/features', 403, {
    'rejects a flag beyond the limit of the project': async (server) => ({
      params: await inFull(server),
      body: { name: freshName('over') },
    }),
  }),
  ...refused('POST /api/admin/projects/:projectId/features/:featureName/clone', 403, {
    'rejects a clone beyond the limit of the project': async (server) => ({
      params: await inFull(server),
      body: { name: freshName('over') },
    }),
  }),
  ...refused('POST /api/admin/archive/revive/:featureName', 403, {
    'rejects reviving a flag beyond the limit of the project': async (server) => {
      const params = await givenArchived(server, await givenProject(server, { featureLimit: 1 }));
      await givenFlag(server, {}, params.projectId);
      return { params };
    },
  }),
];
