import { pino } from 'pino';
import { type Replica, startReplica } from '#app/replica.ts';
import { loadConfig } from '#config/load.ts';
import type { Config } from '#config/settings.ts';
import { ApiClient } from './client.ts';
import { type TestServer, whenTestFails } from './server.ts';
import { givenToken } from './tokens.ts';

export interface TestReplica {
  readonly url: string;
  readonly replica: Replica;
  readonly logged: string[];
  client(token: string): ApiClient;
  /** Resolves when the replica has what the server had when this was called. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** The server of a replica, or what stands for it. */
type Upstream = Pick<TestServer, 'url' | 'clock'> & Partial<TestServer>;

/** Starts a replica of `server` on a free port of the loopback address, with a new token unless `settings` have one. */
export async function startTestReplica(
  server: Upstream,
  settings: Partial<Config> = {},
  token: { readonly environment?: string; readonly projects?: readonly string[] } = {},
): Promise<TestReplica> {
  const replicaToken =
    settings.replicaToken ??
    (await givenToken(server as TestServer, { type: 'replica', environment: '*', ...token })).secret;
  const logged: string[] = [];
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void logged.push(line) });
  const upstreamUrl = server.url;
  const defaults = { host: '127.0.0.1', port: 0, badTokenRatePerMinute: 0, shutdownDelayMs: 0, upstreamUrl };
  const config = { ...loadConfig({}), ...defaults, ...settings, replicaToken };
  const replica = await startReplica(config, { log, clock: server.clock });
  whenTestFails(() => replica.stop());
  return {
    url: replica.url,
    replica,
    logged,
    client: (secret) => new ApiClient(replica.url, secret),
    caughtUp: () => replica.memory.reached({ id: (server as TestServer).app.service.publisher.revision }, 10_000),
    stop: () => replica.stop(),
  };
}
