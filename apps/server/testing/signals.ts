import type { Reply } from './client.ts';
import type { TestServer } from './server.ts';

/** A signal endpoint with one token. */
export interface TestEndpoint {
  readonly id: number;
  readonly name: string;
  readonly tokenId: number;
  readonly token: string;
}

let made = 0;

/** Creates an endpoint with a unique name and a token named `first`. */
export async function givenEndpoint(server: TestServer, more: object = {}): Promise<TestEndpoint> {
  const name = `endpoint-${++made}`;
  const reply = await server.admin.call('POST /api/admin/signal-endpoints', { body: { name, ...more } });
  if (reply.status !== 201) throw new Error(`creating the endpoint was answered ${reply.status}: ${reply.text}`);
  const endpoint = reply.json;
  const token = await givenToken(server, endpoint.id, 'first');
  return { id: endpoint.id, name, tokenId: token.id, token: token.secret };
}

/** Creates another token of an endpoint. */
export async function givenToken(server: TestServer, endpointId: number, name: string, more: object = {}) {
  const { json } = await server.admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
    params: { signalEndpointId: endpointId },
    body: { name, ...more },
  });
  return { id: json.id as number, secret: json.token as string };
}

/** Sends a raw body, by default as `application/json`, to an endpoint with its token. */
export function send(
  server: TestServer,
  { name, token }: Pick<TestEndpoint, 'name' | 'token'>,
  raw?: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<Reply> {
  return server.anonymous.request('POST', `/api/signal-endpoint/${name}`, {
    ...(raw === undefined ? {} : { raw }),
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}

/** Requests the list of signals that an endpoint received, newest first. */
export function received(server: TestServer, { id }: Pick<TestEndpoint, 'id'>, limit = 50): Promise<Reply> {
  return server.admin.call('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
    params: { signalEndpointId: id },
    query: { limit },
  });
}
