import type { z } from 'zod';
import { connectionSettings } from './connection-settings.ts';
import { emailSettings } from './email-settings.ts';
import { eventSearchSettings } from './event-search-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { metricSettings } from './metric-settings.ts';
import { oidcSettings } from './oidc-settings.ts';
import { retentionSettings } from './retention-settings.ts';
import {
  basePath,
  countOrBoolean,
  list,
  oneOf,
  origins,
  postgresUrl,
  readiness,
  type Settings,
  text,
  trueOrFalse,
  webAddress,
  wholeNumber,
} from './setting-types.ts';
import { signalSettings } from './signal-settings.ts';

/**
 * All settings. `names` are the environment variables of a setting: the first is its name, the others are accepted for
 * compatibility with Unleash. Each is also accepted with the prefix `YARDARM_`.
 */
export const settings = {
  host: { names: ['HTTP_HOST'], value: text.default('0.0.0.0'), meaning: 'Address to listen on.' },
  port: {
    names: ['PORT', 'HTTP_PORT'],
    value: wholeNumber(0, 65535).default(4242),
    meaning: 'Port to listen on; 0 chooses a free port.',
  },
  basePath: {
    names: ['BASE_URI_PATH'],
    value: basePath.default(''),
    meaning: 'Path below which everything is served, such as /flags.',
  },
  publicUrl: {
    names: ['UNLEASH_URL'],
    value: webAddress.default(''),
    meaning: 'Public address of the service, for people and senders. Empty: built from host and port.',
  },
  trustProxy: {
    names: ['YARDARM_TRUST_PROXY'],
    value: countOrBoolean(100).default(0),
    meaning:
      'Number of trusted proxies in front that append to X-Forwarded-For, from which the client address is read; true is 1. With a number that is too high, clients can forge their address.',
  },
  databaseUrl: {
    names: ['DATABASE_URL'],
    value: postgresUrl.optional(),
    secret: true,
    meaning: 'PostgreSQL database, postgres://…. Empty: SQLite in the data directory.',
  },
  databaseSchema: {
    names: ['DATABASE_SCHEMA'],
    value: text.default('public'),
    meaning: 'PostgreSQL schema of the tables.',
  },
  databasePoolMax: {
    names: ['YARDARM_DATABASE_POOL_MAX'],
    value: wholeNumber(3, 500).default(10),
    meaning: 'Highest number of PostgreSQL connections of this process.',
  },
  dataDir: { names: ['YARDARM_DATA_DIR'], value: text.default('./data'), meaning: 'Directory of the SQLite database.' },
  authType: {
    names: ['AUTH_TYPE'],
    value: oneOf(['open-source', 'none']).default('open-source'),
    meaning: 'none: authentication is off, and every caller of the admin API is an administrator.',
  },
  adminUsername: {
    names: ['UNLEASH_DEFAULT_ADMIN_USERNAME'],
    value: text.default('admin'),
    meaning: 'User name of the first administrator.',
  },
  adminPassword: {
    names: ['UNLEASH_DEFAULT_ADMIN_PASSWORD'],
    value: text.optional(),
    secret: true,
    meaning: 'Password of the first administrator; generated and printed once when empty.',
  },
  initAdminTokens: {
    names: ['INIT_ADMIN_API_TOKENS'],
    value: list.default([]),
    secret: true,
    meaning: 'Admin API tokens to create while there is no API token, such as *:*.secret.',
  },
  initBackendTokens: {
    names: ['INIT_BACKEND_API_TOKENS', 'INIT_CLIENT_API_TOKENS'],
    value: list.default([]),
    secret: true,
    meaning: 'Backend API tokens to create while there is no API token.',
  },
  initFrontendTokens: {
    names: ['INIT_FRONTEND_API_TOKENS'],
    value: list.default([]),
    secret: true,
    meaning: 'Frontend API tokens to create while there is no API token.',
  },
  initReplicaTokens: {
    names: ['INIT_REPLICA_API_TOKENS'],
    value: list.default([]),
    secret: true,
    meaning: 'Replica API tokens to create while there is no API token, such as *:*.secret.',
  },
  sessionTtlHours: {
    names: ['SESSION_TTL_HOURS'],
    value: wholeNumber(1, 8760).default(48),
    meaning: 'Lifetime of a session in hours.',
  },
  sessionIdleMinutes: {
    names: ['YARDARM_SESSION_IDLE_MINUTES'],
    value: wholeNumber(0, 525_600).default(1440),
    meaning: 'Idle timeout of a session in minutes; 0 turns it off, and only SESSION_TTL_HOURS applies.',
  },
  personalTokenDays: {
    names: ['YARDARM_PERSONAL_TOKEN_DAYS'],
    value: wholeNumber(0, 36_500).default(365),
    meaning:
      'Longest life of a new personal token of a user, in days; 0 turns the limit off. Existing tokens, and tokens of service accounts, keep their end.',
  },
  secret: {
    names: ['UNLEASH_SECRET'],
    value: text.optional(),
    secret: true,
    meaning:
      'Password with which secrets are encrypted in the database: parameters of integrations, action calls, the client secret of single sign-on. Without it they are stored unencrypted. Must be the same in all processes.',
  },
  previousSecret: {
    names: ['UNLEASH_SECRET_PREVIOUS'],
    value: text.optional(),
    secret: true,
    meaning:
      'The previous UNLEASH_SECRET. At the start, secrets that were encrypted with it are encrypted again with UNLEASH_SECRET. Remove it afterwards.',
  },
  readableSecrets: {
    names: ['YARDARM_READABLE_SECRETS'],
    value: trueOrFalse.default(false),
    meaning:
      'Show the secrets of API tokens that are created from now on, and the OpenID Connect client secret, to callers who may read the tokens and the settings. Programs for Unleash, such as its Terraform provider, expect this. Requires UNLEASH_SECRET, with which they are encrypted.',
  },
  enabledEnvironments: {
    names: ['ENABLED_ENVIRONMENTS'],
    value: list.default([]),
    meaning:
      'Environments to enable at each start, such as development,production. Other environments are not changed.',
  },
  ...emailSettings,
  ...oidcSettings,
  userInactivityDays: {
    names: ['USER_INACTIVITY_THRESHOLD_IN_DAYS'],
    value: wholeNumber(1, 36_500).default(180),
    meaning: 'Days without a login or request after which a user counts as inactive.',
  },
  loginHistoryRetentionDays: {
    names: ['YARDARM_LOGIN_HISTORY_RETENTION_DAYS'],
    value: wholeNumber(0, 36_500).default(365),
    meaning: 'Days to keep the login history; 0 keeps it for ever.',
  },
  secureCookies: {
    names: ['SECURE_HEADERS'],
    value: trueOrFalse.default(false),
    meaning: 'Use HTTPS only: send Secure cookies and HSTS.',
  },
  bindingReview: {
    names: ['YARDARM_BINDING_REVIEW'],
    value: trueOrFalse.default(false),
    meaning:
      'A required review cannot be skipped, not even by administrators and Owners. The permission BREAK_GLASS_CHANGE_REQUEST allows a change without review, with a reason.',
  },
  loginRatePerMinute: {
    names: ['SIMPLE_LOGIN_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e6).default(10),
    meaning: 'Logins per minute from one address; 0 turns the limit off.',
  },
  loginFailuresBeforeDelay: {
    names: ['YARDARM_LOGIN_FAILURES_BEFORE_DELAY'],
    value: wholeNumber(0, 1000).default(10),
    meaning:
      'Failed logins with one user name after which further logins are delayed: 1 second, doubled with each failure, up to 15 minutes. Networks from which the user has logged in before are counted separately. 0 turns the delay off.',
  },
  createUserRatePerMinute: {
    names: ['CREATE_USER_RATE_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e6).default(20),
    meaning: 'Users created per minute from one address; 0 turns the limit off.',
  },
  clearSiteDataOnLogout: {
    names: ['SESSION_CLEAR_SITE_DATA_ON_LOGOUT'],
    value: trueOrFalse.default(true),
    meaning: 'Send Clear-Site-Data at logout, so that browsers delete all data of this site.',
  },
  maxParallelSessions: {
    names: ['MAX_PARALLEL_SESSIONS'],
    value: wholeNumber(1, 10_000).default(100),
    meaning: 'Highest number of sessions of one user. The oldest ends when another begins.',
  },
  ...signalSettings,
  ...eventSearchSettings,
  ...retentionSettings,
  usageRetentionDays: {
    names: ['DAILY_METRICS_STORAGE_DAYS'],
    value: wholeNumber(0, 36_500).default(91),
    meaning: 'Days to keep usage counts; 0 keeps them for ever.',
  },
  allowPrivateIntegrationUrls: {
    names: ['UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION'],
    value: trueOrFalse.default(false),
    meaning: 'Allow integrations to call private addresses, such as those of this machine and its network.',
  },
  allowedIntegrationHosts: {
    names: ['UNLEASH_ALLOW_LIST_INTEGRATION'],
    value: list.default([]),
    meaning: 'Hosts with private addresses that integrations may call.',
  },
  deliveryRetryHours: {
    names: ['YARDARM_DELIVERY_RETRY_HOURS'],
    value: wholeNumber(1, 168).default(24),
    meaning:
      'Hours for which an event to an integration or an action call is retried. Afterwards it is a dead letter, and an event can be sent again by hand.',
  },
  deliveryTimeoutSeconds: {
    names: ['YARDARM_DELIVERY_TIMEOUT_SECONDS'],
    value: wholeNumber(1, 60).default(10),
    meaning: 'Seconds that an attempt to send an event or an action call may take, until it has failed.',
  },
  applicationRetentionDays: {
    names: ['YARDARM_APPLICATION_RETENTION_DAYS'],
    value: wholeNumber(1, 36_500).default(30),
    meaning: 'Days after its last report after which an application is deleted, unless a person has described it.',
  },
  applicationLimit: {
    names: ['YARDARM_APPLICATION_LIMIT'],
    value: wholeNumber(1, 100_000).default(1000),
    meaning:
      'Highest number of applications that SDKs create by their reports. Reports of further applications are ignored.',
  },
  recentContextLimit: {
    names: ['YARDARM_RECENT_CONTEXT_LIMIT'],
    value: wholeNumber(0, 1000).default(1000),
    meaning:
      'Highest number of contexts of users that each process keeps in memory for each environment, to count who gets a milestone. They come from requests to the frontend API and OFREP within 24 hours, and are not stored. 0 keeps none.',
  },
  ...metricSettings,
  frontendApiOrigins: {
    names: ['UNLEASH_FRONTEND_API_ORIGINS'],
    value: origins.default([]),
    meaning:
      'Origins whose pages may use the frontend API, such as https://example.com, until they are changed in the settings. Empty allows all.',
  },
  accessControlMaxAge: {
    names: ['ACCESS_CONTROL_MAX_AGE'],
    value: wholeNumber(0, 31_536_000).default(86_400),
    meaning: 'Seconds for which browsers may cache CORS preflight answers.',
  },
  clientMetricsRatePerMinute: {
    names: ['CLIENT_METRICS_RATE_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e6).default(12_000),
    meaning:
      'Usage reports per minute, single and bulk, that a process accepts with one backend token; 0 turns the limit off.',
  },
  clientRegisterRatePerMinute: {
    names: ['REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e6).default(6000),
    meaning: 'Registrations per minute that a process accepts with one backend token; 0 turns the limit off.',
  },
  frontendMetricsRatePerMinute: {
    names: ['FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e6).default(6000),
    meaning:
      'Usage reports per minute that a process accepts from frontend SDKs at one address; 0 turns the limit off.',
  },
  frontendRegisterRatePerMinute: {
    names: ['REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e6).default(6000),
    meaning:
      'Registrations per minute that a process accepts from frontend SDKs at one address; 0 turns the limit off.',
  },
  ofrepRatePerMinute: {
    names: ['YARDARM_OFREP_RATE_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e9).default(60_000),
    meaning: 'OFREP evaluations per minute that a process makes for one address; 0 turns the limit off.',
  },
  upstreamUrl: {
    names: ['YARDARM_UPSTREAM_URL'],
    value: webAddress.default(''),
    meaning: 'For `yardarm replica`: the address of the server whose flags it serves.',
  },
  replicaToken: {
    names: ['YARDARM_REPLICA_TOKEN'],
    value: text.optional(),
    secret: true,
    meaning: 'For `yardarm replica`: an API token of the type replica, which decides what the replica gets.',
  },
  replicaReady: {
    names: ['YARDARM_REPLICA_READY'],
    value: readiness.default('any'),
    meaning:
      'For `yardarm replica`: when /ready answers 200. any: it has flags. in-sync: it is also connected to its server. max-age=60: it was in sync in the last 60 seconds.',
  },
  snapshotDir: {
    names: ['YARDARM_SNAPSHOT_DIR'],
    value: text.optional(),
    meaning:
      'For `yardarm replica`: a directory in which it keeps its flags, so that it starts also while its server is away. Empty: in memory only.',
  },
  replicaLimit: {
    names: ['YARDARM_REPLICA_LIMIT'],
    value: wholeNumber(0, 100_000).default(1000),
    meaning: 'Highest number of replicas that are connected to a process. Further replicas get 429, and try again.',
  },
  streamLimit: {
    names: ['YARDARM_STREAM_LIMIT'],
    value: wholeNumber(0, 1_000_000).default(10_000),
    meaning: 'Highest number of open SDK streams of a process. Further SDKs get 429, and poll instead.',
  },
  streamTokenShare: {
    names: ['YARDARM_STREAM_TOKEN_SHARE'],
    value: wholeNumber(1, 100).default(50),
    meaning:
      'Highest share of YARDARM_STREAM_LIMIT for the streams of one token, in percent. Further SDKs get 429, and poll instead.',
  },
  streamHeartbeatSeconds: {
    names: ['YARDARM_STREAM_HEARTBEAT_SECONDS'],
    value: wholeNumber(1, 3600).default(25),
    meaning:
      'Interval of heartbeats on streams in seconds. Keep it below the timeouts of proxies and SDKs, usually a minute.',
  },
  eventReaderLimit: {
    names: ['YARDARM_EVENT_READER_LIMIT'],
    value: wholeNumber(0, 1_000_000).default(2000),
    meaning:
      'Highest number of open event streams of a process, and of requests that wait for an event. Further readers get 429.',
  },
  badTokenRatePerMinute: {
    names: ['YARDARM_BAD_TOKEN_RATE_LIMIT_PER_MINUTE'],
    value: wholeNumber(0, 1e6).default(120),
    meaning: 'Requests with a wrong token per minute from one address; 0 turns the limit off.',
  },
  ...connectionSettings,
  maxBodyBytes: {
    names: ['YARDARM_MAX_BODY_BYTES'],
    value: wholeNumber(1024, 104_857_600).default(102_400),
    meaning: 'Size limit of ordinary request bodies, in bytes.',
  },
  importMaxBodyBytes: {
    names: ['YARDARM_IMPORT_MAX_BODY_BYTES'],
    value: wholeNumber(1024, 1_073_741_824).default(33_554_432),
    meaning:
      'Size limit of the request bodies of imports, exports and state as code, in bytes. They may contain 2,000,000 values, with 100,000 in one array or object; other bodies 100,000 and 10,000.',
  },
  importFile: {
    names: ['IMPORT_FILE'],
    value: text.optional(),
    meaning:
      'File with exported flags, imported at the first start with a file for this project and environment. Existing flags are not changed.',
  },
  importProject: {
    names: ['IMPORT_PROJECT'],
    value: text.default('default'),
    meaning: 'Project to import IMPORT_FILE into.',
  },
  importEnvironment: {
    names: ['IMPORT_ENVIRONMENT'],
    value: text.default('development'),
    meaning: 'Environment to import IMPORT_FILE into.',
  },
  ...limitSettings,
  logLevel: {
    names: ['LOG_LEVEL'],
    value: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('warn'),
    meaning: 'Lowest log level.',
  },
  slowStatementMs: {
    names: ['YARDARM_SLOW_STATEMENT_MS'],
    value: wholeNumber(0, 600_000).default(1000),
    meaning: 'Milliseconds from which a statement of the database is logged as slow, without its values; 0 logs none.',
  },
  shutdownDelayMs: {
    names: ['YARDARM_SHUTDOWN_DELAY'],
    value: wholeNumber(0, 600_000).optional(),
    meaning:
      'Milliseconds of a shutdown in which requests are still served, while /ready answers 503 to load balancers and each answer closes its connection. Default: 5000 with PostgreSQL, where other processes take over, and 0 with SQLite.',
  },
  shutdownTimeoutMs: {
    names: ['GRACEFUL_SHUTDOWN_TIMEOUT'],
    value: wholeNumber(0, 600_000).default(10_000),
    meaning: 'Milliseconds for running requests to finish in a shutdown.',
  },
} satisfies Settings;

/** The values of all settings. */
export type Config = { readonly [K in keyof typeof settings]: z.output<(typeof settings)[K]['value']> };
