import {
  frontendRoutes,
  ofrepRoutes,
  replicationProtocol,
  sdkRoutes,
  streamingRoutes,
  systemRoutes,
} from '@yardarm/contract';
import type { Logger } from 'pino';
import type { Config } from '#config/settings.ts';
import { healthHandlers } from '#features/platform/system/index.ts';
import { ReplicaMemory, ReplicaTokens, Reports, Upstream } from '#features/sdks/replication/index.ts';
import { FailureLog } from '#http/failure-log.ts';
import type { Guards } from '#http/request.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { MemoryLimiter } from '#kernel/limiter.ts';
import { createLog } from '#observe/log.ts';
import { createMetrics } from '#observe/metrics.ts';
import { limitBadTokens } from './bad-tokens.ts';
import { buildDelivery } from './delivery.ts';
import { requireFreePort } from './free-port.ts';
import { Lifetime } from './lifetime.ts';
import { keepSnapshot } from './replica-snapshot.ts';
import { serveHttp } from './serve-http.ts';
import { version } from './version.ts';

/** A process that serves SDKs from the flags of another server. */
export interface Replica {
  /** The address on this machine, with the base path and without a trailing slash. */
  readonly url: string;
  readonly memory: ReplicaMemory;
  readonly reports: Reports;
  /** Writes the snapshot now, if the settings name a directory and something has changed. */
  keepNow(): Promise<void>;
  stop(): Promise<void>;
}

const { 'POST /api/admin/streaming/disconnect-all': _, ...sdkStreams } = streamingRoutes;
const { 'GET /health': health, 'GET /ready': ready, 'GET /metrics': metricsRoute } = systemRoutes;
/** The routes of a replica: those of SDKs, and those that every process has. */
const replicaRoutes = {
  ...{ 'GET /health': health, 'GET /ready': ready, 'GET /metrics': metricsRoute },
  ...sdkRoutes,
  ...sdkStreams,
  ...frontendRoutes,
  ...ofrepRoutes,
} as const;

/** How long a request waits for a change that its sender knows already, in milliseconds. */
const catchUpMs = 1000;

/** A server sends a heartbeat each half minute by default; three may be late. */
const silenceMs = 100_000;

/** Starts a replica and resolves when it listens, with or without flags. Stops everything again when it rejects. */
export async function startReplica(config: Config, options: { readonly clock?: Clock; readonly log?: Logger } = {}) {
  const lifetime = new Lifetime();
  try {
    return await start(config, options, lifetime);
  } catch (error) {
    await lifetime.stop();
    throw error;
  }
}

async function start(
  config: Config,
  { clock = systemClock, log = createLog(config.logLevel) }: { readonly clock?: Clock; readonly log?: Logger },
  lifetime: Lifetime,
): Promise<Replica> {
  const metrics = createMetrics();
  lifetime.onStop('metrics', () => metrics.stop());
  const failures = new FailureLog(clock, () => false);
  const parts = { config, clock, metrics, log: failures.over(log), lifetime };
  await requireFreePort(config);
  const upstream: Upstream = new Upstream({
    url: config.upstreamUrl.replace(/\/+$/, ''),
    token: config.replicaToken ?? '',
    protocol: replicationProtocol,
    userAgent: `yardarm-replica/${version}`,
    silenceMs,
    clock,
    onLost: (reason) => parts.log.warn({ reason }, 'the upstream cannot be followed; it is retried'),
    onFound: () => parts.log.info({}, 'the upstream is followed again'),
    position: () => memory.position,
    load: (state) => memory.load(state, delivery.streams),
    apply: (update) => memory.apply(update, delivery.streams),
  });
  const reports = new Reports({
    clock,
    seriesLimit: config.impactMetricSeriesLimit,
    send: (report) => upstream.report(report),
    onError: (error) => parts.log.error({ err: error }, 'what SDKs have reported cannot be sent to the upstream'),
  });
  lifetime.onStop('reports', () => reports.stop());
  metrics.watch(
    'gauge',
    'replica_behind_seconds',
    'Time for which a replica may have missed changes of its upstream; 0 while it is connected',
    () => upstream.behindMs / 1000,
  );
  const memory = new ReplicaMemory(new ReplicaTokens(clock, (token) => reports.tokenSeen(token)));
  const badTokens = limitBadTokens(config, clock, (points) => new MemoryLimiter(clock, points, 60));
  const delivery = buildDelivery(parts, {
    ...{ snapshot: memory.snapshot, tokens: memory.tokens, badTokens },
    ...{ usage: reports, impactMetrics: reports.impactMetrics },
    // A provider may know a change from the server that this replica has not received yet.
    catchUp: (position) => memory.reached(position, catchUpMs),
  });
  const requireState = () => {
    if (memory.position === undefined)
      throw new Problem('ServiceUnavailableError', 'This replica has no flags yet: its upstream has not sent them.');
  };
  const keepNow = await keepSnapshot(parts, memory, delivery.streams, upstream);
  const url = await serveHttp(
    { config, clock, log, failures, metrics, lifetime },
    {
      routes: replicaRoutes,
      aliases: {},
      handlers: {
        ...delivery.handlers,
        ...healthHandlers({
          ready: async () => {
            requireState();
            requireFresh(config.replicaReady, upstream);
          },
          stopping: () => lifetime.stopping,
          metrics: metrics.text,
        }),
      },
      guards: guardsOf(delivery.guards, requireState),
      rates: delivery.rates,
      unchanged: delivery.unchanged,
      frontendOrigins: () => memory.frontendApiOrigins,
    },
  );
  lifetime.onStop('upstream', () => upstream.stop());
  upstream.start();
  return { url, memory, reports, keepNow, stop: () => lifetime.stop() };
}

/** Throws a 503 when the state is older than the setting allows. */
function requireFresh(rule: Config['replicaReady'], { isConnected, behindMs }: Upstream): void {
  if (rule === 'any' || isConnected) return;
  const [, seconds] = rule.split('=');
  if (seconds !== undefined && behindMs <= Number(seconds) * 1000) return;
  const since = Number.isFinite(behindMs) ? ` for ${Math.ceil(behindMs / 1000)} s` : '';
  throw new Problem('ServiceUnavailableError', `This replica has not been in sync with its upstream${since}.`);
}

/** Returns guards that refuse every SDK while there is no state: an empty list of flags would switch all flags off. */
function guardsOf(guards: Pick<Guards, 'sdk' | 'stream'>, requireState: () => void): Guards {
  const unused = () => {
    throw new Error('A replica has no such routes.');
  };
  return {
    ...{ admin: unused, project: unused, signal: unused, replica: unused },
    sdk: (request, type) => {
      requireState();
      return guards.sdk(request, type);
    },
    stream: async (request, token) => {
      requireState();
      return guards.stream(request, token);
    },
  };
}
