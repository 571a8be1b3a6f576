import { aliases, handledRoutes } from '@yardarm/contract';
import type { Logger } from 'pino';
import { settingsInForce } from '#config/load.ts';
import type { Config } from '#config/settings.ts';
import { ensureSigningKey } from '#features/automation/actions/index.ts';
import { quietWindowMs } from '#features/people/security-events/index.ts';
import type { FirstAdmin } from '#features/people/users/index.ts';
import { recordStart } from '#features/platform/operations/index.ts';
import { fetchText } from '#features/platform/outbound/index.ts';
import type { FetchText } from '#features/signals/signal-sources/index.ts';
import { FailureLog } from '#http/failure-log.ts';
import type { Clock } from '#kernel/clock.ts';
import { systemClock } from '#kernel/clock.ts';
import { createLog } from '#observe/log.ts';
import { createMetrics } from '#observe/metrics.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { isUnavailable } from '#storage/driver-errors.ts';
import { asDiskFault } from '#storage/sqlite/disk-fault.ts';
import { addressOf } from './address.ts';
import { startBackground } from './background.ts';
import { builtFiles } from './built-files.ts';
import { watchClockSkew } from './clock-skew.ts';
import { observeDatabase } from './database-times.ts';
import { AddressUnusable, requireFreePort } from './free-port.ts';
import { Lifetime } from './lifetime.ts';
import { sealSecrets, unsealedWarning } from './sealed-secrets.ts';
import { serveHttp } from './serve-http.ts';
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
  place.url = await serveHttp(
    { config, clock, log, failures, metrics, lifetime },
    {
      routes: handledRoutes,
      aliases,
      handlers: service.handlers,
      guards: service.guards,
      rates: service.rates,
      unchanged: service.unchanged,
      frontendOrigins: service.frontendOrigins,
      pages: { userInterface: builtFiles('interface'), documentation: builtFiles('documentation') },
      onRefusal: service.securityEvents.refusedChanges.count,
    },
  );
  await recordStart(database, version, settingsInForce(config));
  onServing?.(place.url);
  if (config.secret === undefined) log.warn(unsealedWarning);
  return { url: place.url, database, service, stop: () => lifetime.stop() };
}
