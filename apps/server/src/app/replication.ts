import type { ImpactRecorder } from '#features/metrics/impact-metrics/index.ts';
import type { TokenLookup, TokensInMemory } from '#features/people/api-tokens/index.ts';
import { Publisher, replicationHandlers } from '#features/sdks/replication/index.ts';
import { createReplicaGuard, type Snapshot } from '#features/sdks/sdk/index.ts';
import type { Usage } from '#features/sdks/usage/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import { Streams } from '#http/streams.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { version } from './version.ts';

export interface ReplicationSource {
  readonly snapshot: Snapshot;
  readonly tokens: TokenLookup;
  readonly inMemory: TokensInMemory;
  readonly badTokens: BadTokenLimit;
  readonly usage: Usage;
  readonly impactMetrics: ImpactRecorder;
  readonly frontendApiOrigins: () => readonly string[];
}

/** Wires what the server sends to replicas. */
export function buildReplication(
  { clock, config, database, log, lifetime, metrics }: ServiceDependencies,
  { snapshot, tokens, inMemory, badTokens, usage, impactMetrics, frontendApiOrigins }: ReplicationSource,
) {
  const streams = new Streams({
    limit: config.replicaLimit,
    tokenShare: 100,
    heartbeatMs: config.streamHeartbeatSeconds * 1000,
    now: () => clock.now(),
    onError: (error) => log.error({ err: error }, 'sending changes to replicas failed'),
  });
  lifetime.onStop('streams to replicas', () => streams.stop());
  metrics.watch('gauge', 'replica_streams_open', 'Streams to replicas that are open', () => streams.open);
  const publisher = new Publisher({
    ...{ feed: database.feed, snapshot, streams, version, frontendApiOrigins },
    tokens: inMemory,
  });
  return {
    publisher,
    guard: createReplicaGuard({ authType: config.authType, tokens, badTokens }),
    handlers: replicationHandlers({ snapshot, publisher, streams, tokens, database, usage, impactMetrics, clock }),
  };
}
