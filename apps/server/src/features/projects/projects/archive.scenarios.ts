import { expect } from 'vitest';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const byProject = async (server: TestServer) => ({ params: { projectId: await givenProject(server) } });

export async function givenArchivedProject(server: TestServer) {
  const call = await byProject(server);
  await server.admin.call('POST /api/admin/projects/archive/:projectId', call);
  return call;
}

export const archiveScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/archive/:projectId',
    name: 'archives a project, which is then listed with archived projects only',
    given: byProject,
    events: [{ type: 'project-archived', project: expect.any(String) as string, data: null, preData: null }],
    check: async (_reply, server) => {
      const listed = await server.admin.call('GET /api/admin/projects', { query: { archived: 'true' } });
      expect(listed.json.projects.at(-1)).toMatchObject({ archivedAt: expect.any(String) });
    },
  },
  ...refused('POST /api/admin/projects/archive/:projectId', 403, {
    'answers 403 for the default project': { params: { projectId: 'default' } },
    'answers 403 while the project has flags that are not archived': async (server) => {
      const call = await byProject(server);
      await givenFlag(server, {}, call.params.projectId);
      return call;
    },
  }),
  {
    route: 'POST /api/admin/projects/revive/:projectId',
    name: 'restores an archived project',
    given: givenArchivedProject,
    events: [{ type: 'project-revived', project: expect.any(String) as string, data: null, preData: null }],
  },
];
