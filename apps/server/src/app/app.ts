import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { notForFrontends, routes } from '@yardarm/contract';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.ts';
import type { FirstAdmin } from '../features/users/index.ts';
import { allowedMethodsOf } from '../http/allowed-methods.ts';
import { bindRoutes } from '../http/bind.ts';
import { limitConnections } from '../http/connections.ts';
import { FailureLog } from '../http/failure-log.ts';
import { LargeBodies } from '../http/large-bodies.ts';
import { createServer } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLog } from '../observe/log.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { type Database, openDatabase, withReadListener } from '../storage/database.ts';
import { isUnavailable } from '../storage/driver-errors.ts';
import { Lifetime } from './lifetime.ts';
import type { ServiceParts } from './parts.ts';
import { sealSecrets, unsealedWarning } from './sealed-secrets.ts';
import { buildService, type Service } from './service.ts';

export interface App {
  /** Where it is reached on this machine, base path included, without a slash at the end. */
  readonly url: string;
  readonly database: Database;
  readonly service: Service;
  /** Stops serving, finishes what is in hand, closes everything. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  /**
   * Told of the first administrator as soon as this process has created one, before it listens: a generated password
   * is known only now, also when the start then fails.
   */
  readonly onFirstAdmin?: (admin: FirstAdmin) => void;
  /** Called with the address as soon as the service listens, before warnings about the settings are logged. */
  readonly onServing?: (url: string) => void;
  /** Told of each statement that only reads, so that a test can count what an answer costs. */
  readonly onRead?: (statement: string) => void;
}

const idleSweepMs = 50;
/** How long a process that shares its database goes on serving when it is stopped, unless the settings say otherwise. */
const graceMs = 5000;

/** Starts the whole service and resolves when it listens. When it rejects, nothing is left running. */
export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const lifetime = new Lifetime();
  try {
    return await start(config, options, lifetime);
  } catch (error) {
    await lifetime.stop();
    throw error;
  }
}

async function start(config: Config, options: AppOptions, lifetime: Lifetime): Promise<App> {
  const { clock = systemClock, log = createLog(config.logLevel), onFirstAdmin = () => undefined, onServing } = options;
  const metrics = createMetrics();
  lifetime.onStop('metrics', () => metrics.stop());
  const holder = `process ${process.pid}, started ${new Date(clock.now()).toISOString()}, serving on port ${config.port}`;
  const failures = new FailureLog(clock, isUnavailable);
  const background = failures.over(log);
  const opened = await openDatabase(config, clock, holder, (error) =>
    background.error({ err: error }, 'following the database failed'),
  );
  lifetime.onStop('database', () => opened.close());
  await sealSecrets(opened, config);
  const database = options.onRead === undefined ? opened : withReadListener(opened, options.onRead);
  // Signals that were left waiting are handled before the server listens, and may name its address.
  const place = { url: addressOf(config, config.port) };
  const service = await buildService({
    config,
    clock,
    database,
    metrics,
    log: background,
    lifetime,
    publicUrl: () => config.publicUrl || place.url,
    onFirstAdmin,
  });
  place.url = await listen({ config, clock, log, failures, metrics, lifetime }, service);
  onServing?.(place.url);
  if (config.secret === undefined) log.warn(unsealedWarning);
  return { url: place.url, database, service, stop: () => lifetime.stop() };
}

/** What the build of the user interface writes. */
const userInterface = fileURLToPath(new URL('../../../admin/dist', import.meta.url));

interface ServerParts extends Pick<ServiceParts, 'config' | 'clock' | 'metrics' | 'lifetime'> {
  readonly log: Logger;
  readonly failures: FailureLog;
}

async function listen(
  { config, clock, log, failures, metrics, lifetime }: ServerParts,
  service: Service,
): Promise<string> {
  const server = await createServer(
    {
      basePath: config.basePath,
      trustProxy: config.trustProxy,
      secure: config.secureCookies,
      logger: log,
      clock,
      failures,
      allowedMethods: allowedMethodsOf(routes, config.basePath),
      refusedPaths: notForFrontends,
      cors: { origins: service.frontendOrigins, maxAgeSeconds: config.accessControlMaxAge },
      userInterface,
      unchanged: service.unchanged,
      stopping: () => lifetime.stopping,
      onAnswer: metrics.answered,
    },
    (scope) => {
      bindRoutes(scope, routes, service.handlers, {
        guards: service.guards,
        maxBodyBytes: (key) => (signalRoutes.has(key) ? config.signalMaxBodyBytes : config.maxBodyBytes),
        largeBodies: new LargeBodies(config.importMaxBodyBytes),
        rates: service.rates,
      });
    },
  );
  watchConnections(server.server, config, metrics);
  await server.listen({ host: config.host, port: config.port });
  lifetime.onStop('http', async () => {
    // Load balancers look at /ready only so often, and until then they send more.
    const { shutdownDelayMs = config.databaseUrl === undefined ? 0 : graceMs } = config;
    if (shutdownDelayMs > 0) await pause(shutdownDelayMs);
    const closed = server.close();
    // A connection that is kept alive becomes idle when its answer has left, which may be after the server began to close.
    const sweep = setInterval(() => server.server.closeIdleConnections(), idleSweepMs);
    const deadline = setTimeout(() => server.server.closeAllConnections(), config.shutdownTimeoutMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  });
  const { port } = server.server.address() as AddressInfo;
  return addressOf(config, port);
}

/** The address of a server that listens on a port, for this machine. */
function addressOf({ host: configured, basePath }: Config, port: number): string {
  const host = ['0.0.0.0', '::', ''].includes(configured) ? 'localhost' : configured;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
}

/** Applies the limits of the settings on connections, and shows in the metrics how many there are. */
function watchConnections(server: Server, config: Config, metrics: Metrics): void {
  const connections = limitConnections(server, {
    total: config.connectionLimit,
    perAddress: config.trustProxy === 0 ? config.connectionsPerAddressLimit : 0,
  });
  metrics.watch('gauge', 'http_connections_open', 'Connections that are open', () => connections.open);
  metrics.watch(
    'counter',
    'http_connections_refused_total',
    'Connections that were closed on arrival because a limit was reached',
    () => connections.refused,
  );
}

/** Those that take a signal, of a sender or as a test. */
const signalRoutes: ReadonlySet<string> = new Set([
  'POST /api/signal-endpoint/:name',
  'POST /api/admin/signal-endpoints/:signalEndpointId/signals',
]);
