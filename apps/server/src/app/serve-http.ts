import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { notForFrontends, type RouteTable } from '@yardarm/contract';
import type { Logger } from 'pino';
import type { Config } from '#config/settings.ts';
import { allowedMethodsOf } from '#http/allowed-methods.ts';
import { bindRoutes, type RouteRates } from '#http/bind.ts';
import { limitConnections } from '#http/connections.ts';
import type { FailureLog } from '#http/failure-log.ts';
import type { Handlers } from '#http/handler.ts';
import { LargeBodies } from '#http/large-bodies.ts';
import type { NotModifiedCheck } from '#http/not-modified.ts';
import { reportRefusalReasons } from '#http/report-refusals.ts';
import type { Guards } from '#http/request.ts';
import { createServer, type ServerOptions } from '#http/server.ts';
import { UnprovenBodies } from '#http/unproven-bodies.ts';
import type { Metrics } from '#observe/metrics.ts';
import { addressOf } from './address.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { asAddressUnusable } from './free-port.ts';

interface ServerParts extends Pick<ServiceDependencies, 'config' | 'clock' | 'metrics' | 'lifetime'> {
  readonly log: Logger;
  readonly failures: FailureLog;
}

/** The routes of a process, and who may call them. */
export interface Served<Routes extends RouteTable> {
  readonly routes: Routes;
  readonly aliases: RouteTable;
  readonly handlers: Handlers<Routes>;
  readonly guards: Guards;
  readonly rates: RouteRates;
  readonly unchanged: ReadonlyMap<string, NotModifiedCheck>;
  /** Returns the origins whose pages may use the frontend API; an empty list allows all. */
  readonly frontendOrigins: () => readonly string[];
  /** The user interface and the documentation; absent in a process without. */
  readonly pages?: Pick<ServerOptions, 'userInterface' | 'documentation'>;
  readonly onRefusal?: ServerOptions['onRefusal'];
}

const idleSweepMs = 50;
/** The default time that a process with PostgreSQL keeps serving after it is told to stop. */
const graceMs = 5000;

/** Serves routes until the process stops. Resolves with the address when it listens. */
export async function serveHttp<Routes extends RouteTable>(
  { config, clock, log, failures, metrics, lifetime }: ServerParts,
  served: Served<Routes>,
): Promise<string> {
  const server = await createServer(
    {
      basePath: config.basePath,
      trustProxy: config.trustProxy,
      secure: config.secureCookies,
      logger: log,
      clock,
      failures,
      allowedMethods: allowedMethodsOf({ ...served.routes, ...served.aliases }, config.basePath),
      refusedPaths: notForFrontends,
      cors: { origins: served.frontendOrigins, maxAgeSeconds: config.accessControlMaxAge },
      ...served.pages,
      unchanged: served.unchanged,
      stopping: () => lifetime.stopping,
      onAnswer: metrics.answered,
      onRefusedReport: metrics.countEach(
        'usage_reports_refused_total',
        'Usage reports of SDKs that were refused, by reason',
        'reason',
        reportRefusalReasons,
      ),
      ...(served.onRefusal === undefined ? {} : { onRefusal: served.onRefusal }),
    },
    (scope) => {
      bindRoutes(scope, served.routes, served.handlers, {
        aliases: served.aliases,
        guards: served.guards,
        maxBodyBytes: (key, spec) => {
          if (spec.usageReport === true) return Math.max(config.maxBodyBytes, usageReportBytes);
          return signalRoutes.has(key) ? config.signalMaxBodyBytes : config.maxBodyBytes;
        },
        largeBodies: new LargeBodies(config.importMaxBodyBytes),
        unprovenBodies: new UnprovenBodies(),
        rates: served.rates,
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
