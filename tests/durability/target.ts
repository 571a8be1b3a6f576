import { randomBytes, randomUUID } from 'node:crypto';
import { call } from './http-call.ts';
import type { Ledger, SentChange } from './ledger.ts';

/** The server and the endpoint that the load is sent to. */
export interface Target {
  origin: string;
  readonly adminToken: string;
  /** Name and token of the signal endpoint. */
  readonly endpoint: string;
  readonly signalToken: string;
}

/** Returns a new admin token, with which a server is started. */
export function newAdminToken(): string {
  return `*:*.${randomBytes(28).toString('hex')}`;
}

/** Returns the settings of a server under load: an admin token, no rate limits, and logging of warnings. */
export function loadSettings(adminToken: string): Record<string, string> {
  return {
    INIT_ADMIN_API_TOKENS: adminToken,
    // With a given password, the server generates and prints none.
    UNLEASH_DEFAULT_ADMIN_PASSWORD: randomUUID(),
    SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '0',
    YARDARM_BAD_TOKEN_RATE_LIMIT_PER_MINUTE: '0',
    UNLEASH_SIGNAL_ENDPOINTS_LIMIT: '1000000',
    UNLEASH_API_TOKENS_LIMIT: '1000000',
    UNLEASH_FEATURE_FLAGS_LIMIT: '1000000',
  };
}

/** Creates a signal endpoint with a token, for load to go to. */
export async function prepareTarget(origin: string, adminToken: string, ledger: Ledger): Promise<Target> {
  const name = `load-${randomUUID()}`;
  const path = '/api/admin/signal-endpoints';
  const make = async (types: SentChange['types'], to: string, data: object): Promise<Record<string, unknown>> => {
    const answer = await call(origin, { method: 'POST', path: to, token: adminToken, body: JSON.stringify(data) });
    if (!ledger.changeAnswered({ types, data: { ...data } }, answer))
      throw new Error(`POST ${to}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  };
  const endpoint = await make(['signal-endpoint-created'], path, { name });
  const token = await make(['signal-endpoint-token-created'], `${path}/${endpoint.id}/tokens`, { name: 'load' });
  return { origin, adminToken, endpoint: name, signalToken: token.token as string };
}
