import type { FlagEnvironmentParams } from './flags.ts';
import type { TestServer } from './server.ts';

const holdsPath = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/leases' as const;

/** Places a hold as the administrator and returns it. */
export async function givenHold(server: TestServer, params: FlagEnvironmentParams, body: object = { effect: 'off' }) {
  const reply = await server.admin.call(`POST ${holdsPath}`, { params, body });
  if (reply.status >= 300) throw new Error(`placing a hold answered ${reply.status}: ${reply.text}`);
  return reply.json as { readonly id: number };
}

/** Releases a hold as the administrator. */
export async function releaseHold(server: TestServer, params: FlagEnvironmentParams, holdId: number): Promise<void> {
  const reply = await server.admin.call(`DELETE ${holdsPath}/:leaseId`, { params: { ...params, leaseId: holdId } });
  if (reply.status >= 300) throw new Error(`releasing a hold answered ${reply.status}: ${reply.text}`);
}
