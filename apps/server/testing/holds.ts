import type { FlagEnvironmentParams } from './flags.ts';
import type { TestServer } from './server.ts';

const leases = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/leases' as const;

/** Asks for a lease, as the administrator, and answers it. */
export async function givenLease(server: TestServer, params: FlagEnvironmentParams, body: object = { effect: 'off' }) {
  const reply = await server.admin.call(`POST ${leases}`, { params, body });
  if (reply.status >= 300) throw new Error(`asking for a lease answered ${reply.status}: ${reply.text}`);
  return reply.json as { readonly id: number };
}

/** Releases a lease, as the administrator. */
export async function release(server: TestServer, params: FlagEnvironmentParams, leaseId: number): Promise<void> {
  const reply = await server.admin.call(`DELETE ${leases}/:leaseId`, { params: { ...params, leaseId } });
  if (reply.status >= 300) throw new Error(`releasing a lease answered ${reply.status}: ${reply.text}`);
}
