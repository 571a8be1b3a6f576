import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { aliases, handledRoutes, notForFrontends, routes } from '@yardarm/contract';
import type { Logger } from 'pino';
import { settingsInForce } from '#config/load.ts';
import type { Config } from '#config/settings.ts';
import { ensureSigningKey } from '#features/automation/actions/index.ts';
import { quietWindowMs } from '#features/people/security-events/index.ts';
import type { FirstAdmin } from '#features/people/users/index.ts';
import { recordStart } from '#features/platform/operations/index.ts';
import { fetchText } from '#features/platform/outbound/index.ts';
import type { FetchText } from '#features/signals/signal-sources/index.ts';
import { allowedMethodsOf } from '#http/allowed-methods.ts';
import { bindRoutes } from '#http/bind.ts';
import { limitConnections } from '#http/connections.ts';
import { FailureLog } from '#http/failure-log.ts';
import { LargeBodies } from '#http/large-bodies.ts';
import { reportRefusalReasons } from '#http/report-refusals.ts';
import { createServer } from '#http/server.ts';
import { UnprovenBodies } from '#http/unproven-bodies.ts';
import type { Clock } from '#kernel/clock.ts';
import { systemClock } from '#kernel/clock.ts';
import { createLog } from '#observe/log.ts';
import { createMetrics, type Metrics } from '#observe/metrics.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { isUnavailable } from '#storage/driver-errors.ts';
import { asDiskFault } from '#storage/sqlite/disk-fault.ts';
import { addressOf } from './address.ts';
import { startBackground } from './background.ts';
import { builtFiles } from './built-files.ts';
import { watchClockSkew } from './clock-skew.ts';
import { observeDatabase } from './database-times.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { AddressUnusable, asAddressUnusable, requireFreePort } from './free-port.ts';
import { Lifetime } from './lifetime.ts';
import { sealSecrets, unsealedWarning } from './sealed-secrets.ts';
import { buildService, type Service } from './service.ts';
import { version } from './version.ts';

export interface App {
  /** The address on this machine, with the base path and without a trailing slash. */
  readonly url: string;
  readonly database: Database;
  readonly service: Service;
  /** Stops serving, finishes running requests and jobs, and closes everything (graceful shutdown). */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  /**
   * Called as soon as this process has created the first administrator, before it listens: a generated password must be
   * shown now, even if the start fails later.
   */
  readonly onFirstAdmin?: (admin: FirstAdmin) => void;
  /** Called with the address as soon as the service listens, before warnings about the settings are logged. */
  readonly onServing?: (url: string) => void;
  /** Returns the database that the service uses instead of the opened one. Tests count statements and hooks with it. */
  readonly database?: (opened: Database) => Database;
  /**
   * How long refusals are counted before the first event about them is recorded, in milliseconds. By default
   * {@link quietWindowMs}; tests that compare the event log set a longer time.
   */
  readonly firstCountMs?: number;
  /**
   * Reads a text, such as a certificate, from the servers of a sender. Default: {@link fetchText}. Tests replace it.
   */
  readonly fetchText?: FetchText;
}

const idleSweepMs = 50;
/** The default time that a process with PostgreSQL keeps serving after it is told to stop. */
const graceMs = 5000;

/** Starts the service and resolves when it listens. When it rejects, everything has been stopped again. */
export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const lifetime = new Lifetime();
  try {
    return await start(config, options, lifetime);
  } catch (error) {
    await lifetime.stop();
    throw config.databaseUrl === undefined && !(error instanceof AddressUnusable)
      ? asDiskFault(error, config.dataDir)
      : error;
  }
}

async function start(config: Config, options: AppOptions, lifetime: Lifetime): Promise<App> {
  const { clock = systemClock, log = createLog(config.logLevel), onFirstAdmin = () => undefined, onServing } = options;
  const metrics = createMetrics();
  lifetime.onStop('metrics', () => metrics.stop());
  const holder = `process ${process.pid}, started ${new Date(clock.now()).toISOString()}, serving on port ${config.port}`;
  const failures = new FailureLog(clock, isUnavailable);
  const background = failures.over(log);
  const opened = await openDatabase(
    config,
    clock,
    holder,
    (error) => background.error({ err: error }, 'reading changes from the database failed; it is retried'),
    observeDatabase(metrics, background, config.slowStatementMs),
  );
  lifetime.onStop('database', () => opened.close());
  if (opened.recovery !== undefined)
    log.warn(
      opened.recovery,
      'the database server was promoted or recovered, so that readers of the event log start anew: changes may be lost',
    );
  await requireFreePort(config);
  await sealSecrets(opened, config);
  await ensureSigningKey(opened);
  watchClockSkew({ database: opened, clock, log: background, lifetime, metrics });
  const database = options.database?.(opened) ?? opened;
  // Pending signals are handled before the server listens, and their actions may need its address.
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
    firstCountMs: options.firstCountMs ?? quietWindowMs,
    fetchText: options.fetchText ?? fetchText,
  });
  await startBackground(lifetime, service);
  place.url = await listen({ config, clock, log, failures, metrics, lifetime }, service);
  await recordStart(database, version, settingsInForce(config));
  onServing?.(place.url);
  if (config.secret === undefined) log.warn(unsealedWarning);
  return { url: place.url, database, service, stop: () => lifetime.stop() };
}

interface ServerParts extends Pick<ServiceDependencies, 'config' | 'clock' | 'metrics' | 'lifetime'> {
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
      userInterface: builtFiles('interface'),
      documentation: builtFiles('documentation'),
      unchanged: service.unchanged,
      stopping: () => lifetime.stopping,
      onAnswer: metrics.answered,
      onRefusedReport: metrics.countEach(
        'usage_reports_refused_total',
        'Usage reports of SDKs that were refused, by reason',
        'reason',
        reportRefusalReasons,
      ),
      onRefusal: service.securityEvents.refusedChanges.count,
    },
    (scope) => {
      bindRoutes(scope, handledRoutes, service.handlers, {
        aliases,
        guards: service.guards,
        maxBodyBytes: (key, spec) => {
          if (spec.usageReport === true) return Math.max(config.maxBodyBytes, usageReportBytes);
          return signalRoutes.has(key) ? config.signalMaxBodyBytes : config.maxBodyBytes;
        },
        largeBodies: new LargeBodies(config.importMaxBodyBytes),
        unprovenBodies: new UnprovenBodies(),
        rates: service.rates,
      });
    },
  );
  watchConnections(server.server, config, metrics);
  await server.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw asAddressUnusable(error, config);
  });
  lifetime.onStop('http', async () => {
    // Keep serving for a while: load balancers poll /ready and send requests until they see its 503.
    const { shutdownDelayMs = config.databaseUrl === undefined ? 0 : graceMs } = config;
    if (shutdownDelayMs > 0) await pause(shutdownDelayMs);
    const closed = server.close();
    // A kept-alive connection may become idle only after close() was called, so idle connections are closed repeatedly.
    const sweep = setInterval(() => server.server.closeIdleConnections(), idleSweepMs);
    const deadline = setTimeout(() => server.server.closeAllConnections(), config.shutdownTimeoutMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  });
  const { port } = server.server.address() as AddressInfo;
  return addressOf(config, port);
}

/** Applies the connection limits of the settings, and adds the metrics of connections. */
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

/** The size limit of usage reports: those of proxies have thousands of rows. */
const usageReportBytes = 1024 * 1024;

/** The routes that receive a signal, from a sender or as a test. */
const signalRoutes: ReadonlySet<string> = new Set([
  'POST /api/signal-endpoint/:name',
  'POST /api/admin/signal-endpoints/:signalEndpointId/signals',
]);
