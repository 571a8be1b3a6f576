import { signalRoutes } from '@yardarm/contract';
import { loadConfig } from '../../apps/server/src/config/load.ts';
import { fetchText } from '../../apps/server/src/features/platform/outbound/index.ts';
import { Certificates } from '../../apps/server/src/features/signals/signal-sources/index.ts';
import { createSignalGuard, Refusals, signalHandlers } from '../../apps/server/src/features/signals/signals/index.ts';
import { BadTokenLimit } from '../../apps/server/src/http/bad-token-limit.ts';
import { bindRoutes } from '../../apps/server/src/http/bind.ts';
import { LargeBodies } from '../../apps/server/src/http/large-bodies.ts';
import { rateLimit } from '../../apps/server/src/http/rate-limit.ts';
import { createServer } from '../../apps/server/src/http/server.ts';
import { UnprovenBodies } from '../../apps/server/src/http/unproven-bodies.ts';
import { systemActor } from '../../apps/server/src/kernel/actor.ts';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { createLog } from '../../apps/server/src/observe/log.ts';
import { createMetrics } from '../../apps/server/src/observe/metrics.ts';
import { openDatabase } from '../../apps/server/src/storage/database.ts';

// Floor for signals: the signal route of the server with its guard, parsing and answer, but without storing the
// signals.
const config = loadConfig(process.env);
const database = await openDatabase(config, systemClock, 'the signal floor', console.error);
const unlimited = new BadTokenLimit(
  rateLimit(systemClock, (points) => database.limiter('none', points, 1), 'nothing', 0, 1),
);
const metrics = createMetrics();
let id = 0;
const endpointLimits = { ratePerSecond: 0, burst: 0, maxBodyBytes: 102_400 };
const refusals = new Refusals(database, systemClock, console.error, () => undefined);
const signals = signalHandlers({
  database,
  ingest: {
    accept: async (incoming) =>
      incoming.map(({ endpointId, tokenId, payload, normalized }) => {
        id += 1;
        return { signal: { id, endpointId, tokenId, createdAt: Date.now(), payload, normalized }, duplicate: false };
      }),
    probe: async () => undefined,
    idle: async () => undefined,
  },
  onOwnStored: () => undefined,
  onSubscription: () => undefined,
  limits: { endpoints: 5, tokensPerEndpoint: 5, expected: { filters: 5, values: 25 } },
  endpointLimits,
  refusals,
  publicUrl: () => '',
});
const server = await createServer(
  {
    basePath: '',
    trustProxy: 0,
    secure: false,
    logger: createLog(config.logLevel),
    clock: systemClock,
    allowedMethods: () => [],
    refusedPaths: [],
    cors: { origins: () => [], maxAgeSeconds: 0 },
    onAnswer: metrics.answered,
  },
  (scope) => {
    scope.get('/ready', () => 'ready');
    bindRoutes(scope, signalRoutes, signals, {
      guards: {
        admin: async () => ({
          kind: 'anonymous',
          actor: systemActor,
          sessionId: null,
          tokenId: null,
          can: () => true,
          canSomewhere: () => true,
          hidden: new Set(),
        }),
        project: async () => undefined,
        replica: () => {
          throw new Error('The bare server has no replicas');
        },
        stream: async () => {
          throw new Error('The bare server has no streams');
        },
        sdk: async () => {
          throw new Error('The bare server has no routes of SDKs');
        },
        signal: createSignalGuard({
          database,
          clock: systemClock,
          limits: endpointLimits,
          badTokens: unlimited,
          refusals,
          certificates: new Certificates(fetchText, systemClock),
        }),
      },
      maxBodyBytes: () => 102_400,
      largeBodies: new LargeBodies(102_400),
      unprovenBodies: new UnprovenBodies(),
    });
  },
);
await server.listen({ host: config.host, port: config.port });
process.once('SIGTERM', () => {
  metrics.stop();
  void server.close().then(() => database.close());
});
