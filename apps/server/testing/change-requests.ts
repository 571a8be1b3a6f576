import type { TestServer } from './server.ts';

/** Has changes in an environment of a project reviewed from now on. */
export async function givenReview(
  server: TestServer,
  projectId: string,
  environment = 'development',
  requiredApprovals = 1,
): Promise<void> {
  const route = 'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config';
  const body = { changeRequestsEnabled: true, requiredApprovals };
  const reply = await server.admin.call(route, { params: { projectId, environment }, body });
  if (reply.status !== 200) throw new Error(`setting review answered ${reply.status}: ${reply.text}`);
}
