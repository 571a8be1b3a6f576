import type { FlagEnvironmentParams } from './flags.ts';
import type { TestServer } from './server.ts';

const route =
  '/api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override' as const;

/** Freezes all automation as the administrator, or resumes it. */
export async function freeze(server: TestServer, frozen: boolean, reason: string | null = 'Incident 7'): Promise<void> {
  const reply = await server.admin.call('POST /api/admin/automation', { body: { frozen, reason } });
  if (reply.status !== 200) throw new Error(`setting the freeze answered ${reply.status}: ${reply.text}`);
}

/** Begins or ends maintenance as the administrator. */
export async function maintain(server: TestServer, enabled: boolean): Promise<void> {
  const reply = await server.admin.call('POST /api/admin/maintenance', { body: { enabled } });
  if (reply.status !== 204) throw new Error(`setting maintenance answered ${reply.status}: ${reply.text}`);
}

/** Overrides automation on a flag as the administrator, keeping its holds; without an end unless `more` has one. */
export async function override(server: TestServer, params: FlagEnvironmentParams, more: object = {}): Promise<void> {
  const reply = await server.admin.call(`PUT ${route}`, { params, body: { reason: 'I look', holds: 'keep', ...more } });
  if (reply.status >= 300) throw new Error(`placing an override answered ${reply.status}: ${reply.text}`);
}

/** Ends the override of automation on a flag, if there is one. */
export async function endOverride(server: TestServer, params: FlagEnvironmentParams): Promise<void> {
  const reply = await server.admin.call(`DELETE ${route}`, { params });
  if (reply.status >= 300 && reply.status !== 404)
    throw new Error(`ending an override answered ${reply.status}: ${reply.text}`);
}
