import { callApi } from '../api.ts';
import type { RunningServer } from '../server.ts';

/** A signal endpoint with a sender, and the account that runs the actions on its signals. */
export interface SeededSender {
  /** The path that takes the signals, with this token. */
  readonly path: string;
  readonly token: string;
  readonly endpointId: number;
  readonly actorId: number;
}

/** Creates a signal endpoint with a token, and a service account. */
export async function seedSender(server: RunningServer, adminToken: string): Promise<SeededSender> {
  const make = <Body>(to: string, body: unknown) => callApi<Body>(server.origin, adminToken, 'POST', to, body);
  const { id: endpointId } = await make<{ id: number }>('/api/admin/signal-endpoints', { name: 'bench' });
  const tokens = `/api/admin/signal-endpoints/${endpointId}/tokens`;
  const { token } = await make<{ token: string }>(tokens, { name: 'bench' });
  const robot = { username: 'robot', name: 'robot', rootRole: 'Editor' };
  const { id: actorId } = await make<{ id: number }>('/api/admin/service-account', robot);
  return { path: '/api/signal-endpoint/bench', token, endpointId, actorId };
}
