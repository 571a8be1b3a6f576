import type { ApiClient } from './client.ts';
import { freshName } from './flags.ts';
import type { TestServer } from './server.ts';

export interface GivenToken {
  readonly id: number;
  readonly secret: string;
  readonly tokenName: string;
}

/** Creates an API token. The defaults of `body` are a backend token of all projects in `development`. */
export async function givenToken(server: TestServer, body: object = {}): Promise<GivenToken> {
  const reply = await server.admin.call('POST /api/admin/api-tokens', {
    body: { tokenName: freshName('token'), type: 'backend', ...body },
  });
  if (reply.status !== 201) throw new Error(`creating a token answered ${reply.status}: ${reply.text}`);
  return reply.json;
}

/** Creates an API token like {@link givenToken} and returns a client that uses it, as an SDK would. */
export async function givenSdk(server: TestServer, body: object = {}): Promise<ApiClient> {
  return server.client((await givenToken(server, body)).secret);
}
