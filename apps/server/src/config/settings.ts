import { connectionSettings } from './connection-settings.ts';
import { eventSearchSettings } from './event-search-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { oidcSettings } from './oidc-settings.ts';
import {
  boolean,
  countOrBoolean,
  integer,
  list,
  oneOf,
  optionalInteger,
  optionalText,
  origins,
  text,
  url,
  webAddress,
} from './setting-types.ts';
import { signalSettings } from './signal-settings.ts';

/**
 * All settings. `names` are the environment variables of a setting: the first is its name, the others are accepted for
 * compatibility with Unleash. Each is also accepted with the prefix `YARDARM_`.
 */
export const settings = {
  host: text({ names: ['HTTP_HOST'], default: '0.0.0.0', meaning: 'Address to listen on.' }),
  port: integer({
    names: ['PORT', 'HTTP_PORT'],
    default: 4242,
    min: 0,
    max: 65535,
    meaning: 'Port to listen on; 0 chooses a free port.',
  }),
  basePath: text({
    names: ['BASE_URI_PATH'],
    default: '',
    meaning: 'Path below which everything is served, such as /flags.',
  }),
  publicUrl: webAddress({
    names: ['UNLEASH_URL'],
    default: '',
    meaning: 'Public address of the service, for people and senders. Empty: built from host and port.',
  }),
  trustProxy: countOrBoolean({
    names: ['YARDARM_TRUST_PROXY'],
    default: 0,
    max: 100,
    meaning:
      'Number of trusted proxies in front that append to X-Forwarded-For, from which the client address is read; true is 1. With a number that is too high, clients can forge their address.',
  }),
  databaseUrl: url({
    names: ['DATABASE_URL'],
    secret: true,
    meaning: 'PostgreSQL database, postgres://…. Empty: SQLite in the data directory.',
  }),
  databaseSchema: text({ names: ['DATABASE_SCHEMA'], default: 'public', meaning: 'PostgreSQL schema of the tables.' }),
  databasePoolMax: integer({
    names: ['YARDARM_DATABASE_POOL_MAX'],
    default: 10,
    min: 3,
    max: 500,
    meaning: 'Highest number of PostgreSQL connections of this process.',
  }),
  dataDir: text({ names: ['YARDARM_DATA_DIR'], default: './data', meaning: 'Directory of the SQLite database.' }),
  authType: oneOf({
    names: ['AUTH_TYPE'],
    default: 'open-source',
    values: ['open-source', 'none'],
    meaning: 'none: authentication is off, and every caller of the admin API is an administrator.',
  }),
  adminUsername: text({
    names: ['UNLEASH_DEFAULT_ADMIN_USERNAME'],
    default: 'admin',
    meaning: 'User name of the first administrator.',
  }),
  adminPassword: optionalText({
    names: ['UNLEASH_DEFAULT_ADMIN_PASSWORD'],
    secret: true,
    meaning: 'Password of the first administrator; generated and printed once when empty.',
  }),
  initAdminTokens: list({
    names: ['INIT_ADMIN_API_TOKENS'],
    secret: true,
    meaning: 'Admin API tokens to create while there is no API token, such as *:*.secret.',
  }),
  initBackendTokens: list({
    names: ['INIT_BACKEND_API_TOKENS', 'INIT_CLIENT_API_TOKENS'],
    secret: true,
    meaning: 'Backend API tokens to create while there is no API token.',
  }),
  initFrontendTokens: list({
    names: ['INIT_FRONTEND_API_TOKENS'],
    secret: true,
    meaning: 'Frontend API tokens to create while there is no API token.',
  }),
  sessionTtlHours: integer({
    names: ['SESSION_TTL_HOURS'],
    default: 48,
    min: 1,
    max: 8760,
    meaning: 'Lifetime of a session in hours.',
  }),
  sessionIdleMinutes: integer({
    names: ['YARDARM_SESSION_IDLE_MINUTES'],
    default: 1440,
    min: 0,
    max: 525_600,
    meaning: 'Idle timeout of a session in minutes; 0 turns it off, and only SESSION_TTL_HOURS applies.',
  }),
  secret: optionalText({
    names: ['UNLEASH_SECRET'],
    secret: true,
    meaning:
      'Password with which secrets are encrypted in the database: parameters of integrations, action calls, the client secret of single sign-on. Without it they are stored unencrypted. Must be the same in all processes.',
  }),
  previousSecret: optionalText({
    names: ['UNLEASH_SECRET_PREVIOUS'],
    secret: true,
    meaning:
      'The previous UNLEASH_SECRET. At the start, secrets that were encrypted with it are encrypted again with UNLEASH_SECRET. Remove it afterwards.',
  }),
  readableSecrets: boolean({
    names: ['YARDARM_READABLE_SECRETS'],
    default: false,
    meaning:
      'Show the secrets of API tokens that are created from now on, and the OpenID Connect client secret, to callers who may read the tokens and the settings. Programs for Unleash, such as its Terraform provider, expect this. Requires UNLEASH_SECRET, with which they are encrypted.',
  }),
  enabledEnvironments: list({
    names: ['ENABLED_ENVIRONMENTS'],
    meaning:
      'Environments to enable at each start, such as development,production. Other environments are not changed.',
  }),
  ...oidcSettings,
  userInactivityDays: integer({
    names: ['USER_INACTIVITY_THRESHOLD_IN_DAYS'],
    default: 180,
    min: 1,
    max: 36_500,
    meaning: 'Days without a login or request after which a user counts as inactive.',
  }),
  loginHistoryRetentionDays: integer({
    names: ['YARDARM_LOGIN_HISTORY_RETENTION_DAYS'],
    default: 365,
    min: 0,
    max: 36_500,
    meaning: 'Days to keep the login history; 0 keeps it for ever.',
  }),
  secureCookies: boolean({
    names: ['SECURE_HEADERS'],
    default: false,
    meaning: 'Use HTTPS only: send Secure cookies and HSTS.',
  }),
  bindingReview: boolean({
    names: ['YARDARM_BINDING_REVIEW'],
    default: false,
    meaning:
      'Nobody can skip a required review, including administrators and Owners. The permission BREAK_GLASS_CHANGE_REQUEST allows a change without review, with a reason.',
  }),
  loginRatePerMinute: integer({
    names: ['SIMPLE_LOGIN_LIMIT_PER_MINUTE'],
    default: 10,
    min: 0,
    max: 1e6,
    meaning: 'Logins per minute from one address; 0 turns the limit off.',
  }),
  loginFailuresBeforeDelay: integer({
    names: ['YARDARM_LOGIN_FAILURES_BEFORE_DELAY'],
    default: 10,
    min: 0,
    max: 1000,
    meaning:
      'Failed logins with one user name after which further logins are delayed: 1 second, doubled with each failure, up to 15 minutes. Networks from which the user has logged in before are counted separately. 0 turns the delay off.',
  }),
  createUserRatePerMinute: integer({
    names: ['CREATE_USER_RATE_LIMIT_PER_MINUTE'],
    default: 20,
    min: 0,
    max: 1e6,
    meaning: 'Users created per minute from one address; 0 turns the limit off.',
  }),
  clearSiteDataOnLogout: boolean({
    names: ['SESSION_CLEAR_SITE_DATA_ON_LOGOUT'],
    default: true,
    meaning: 'Send Clear-Site-Data at logout, so that browsers delete all data of this site.',
  }),
  maxParallelSessions: integer({
    names: ['MAX_PARALLEL_SESSIONS'],
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Highest number of sessions of one user. The oldest ends when another begins.',
  }),
  ...signalSettings,
  ...eventSearchSettings,
  usageRetentionDays: integer({
    names: ['DAILY_METRICS_STORAGE_DAYS'],
    default: 91,
    min: 0,
    max: 36_500,
    meaning: 'Days to keep usage counts; 0 keeps them for ever.',
  }),
  allowPrivateIntegrationUrls: boolean({
    names: ['UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION'],
    default: false,
    meaning: 'Allow integrations to call private addresses, such as those of this machine and its network.',
  }),
  allowedIntegrationHosts: list({
    names: ['UNLEASH_ALLOW_LIST_INTEGRATION'],
    meaning: 'Hosts with private addresses that integrations may call.',
  }),
  applicationRetentionDays: integer({
    names: ['YARDARM_APPLICATION_RETENTION_DAYS'],
    default: 30,
    min: 1,
    max: 36_500,
    meaning: 'Days after its last report after which an application is deleted, unless a person has described it.',
  }),
  applicationLimit: integer({
    names: ['YARDARM_APPLICATION_LIMIT'],
    default: 1000,
    min: 1,
    max: 100_000,
    meaning:
      'Highest number of applications that SDKs create by their reports. Reports of further applications are ignored.',
  }),
  frontendApiOrigins: origins({
    names: ['UNLEASH_FRONTEND_API_ORIGINS'],
    meaning:
      'Origins whose pages may use the frontend API, such as https://example.com, until they are changed in the settings. Empty allows all.',
  }),
  accessControlMaxAge: integer({
    names: ['ACCESS_CONTROL_MAX_AGE'],
    default: 86_400,
    min: 0,
    max: 31_536_000,
    meaning: 'Seconds for which browsers may cache CORS preflight answers.',
  }),
  clientMetricsRatePerMinute: integer({
    names: ['CLIENT_METRICS_RATE_LIMIT_PER_MINUTE'],
    default: 12_000,
    min: 0,
    max: 1e6,
    meaning:
      'Usage reports per minute, single and bulk, that a process accepts with one backend token; 0 turns the limit off.',
  }),
  clientRegisterRatePerMinute: integer({
    names: ['REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE'],
    default: 6000,
    min: 0,
    max: 1e6,
    meaning: 'Registrations per minute that a process accepts with one backend token; 0 turns the limit off.',
  }),
  frontendMetricsRatePerMinute: integer({
    names: ['FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE'],
    default: 6000,
    min: 0,
    max: 1e6,
    meaning:
      'Usage reports per minute that a process accepts from frontend SDKs at one address; 0 turns the limit off.',
  }),
  frontendRegisterRatePerMinute: integer({
    names: ['REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE'],
    default: 6000,
    min: 0,
    max: 1e6,
    meaning:
      'Registrations per minute that a process accepts from frontend SDKs at one address; 0 turns the limit off.',
  }),
  ofrepRatePerMinute: integer({
    names: ['YARDARM_OFREP_RATE_LIMIT_PER_MINUTE'],
    default: 60_000,
    min: 0,
    max: 1e9,
    meaning: 'OFREP evaluations per minute that a process makes for one address; 0 turns the limit off.',
  }),
  streamLimit: integer({
    names: ['YARDARM_STREAM_LIMIT'],
    default: 10_000,
    min: 0,
    max: 1_000_000,
    meaning: 'Highest number of open SDK streams of a process. Further SDKs get 429, and poll instead.',
  }),
  streamTokenShare: integer({
    names: ['YARDARM_STREAM_TOKEN_SHARE'],
    default: 50,
    min: 1,
    max: 100,
    meaning:
      'Highest share of YARDARM_STREAM_LIMIT for the streams of one token, in percent. Further SDKs get 429, and poll instead.',
  }),
  streamHeartbeatSeconds: integer({
    names: ['YARDARM_STREAM_HEARTBEAT_SECONDS'],
    default: 25,
    min: 1,
    max: 3600,
    meaning:
      'Interval of heartbeats on streams in seconds. Keep it below the timeouts of proxies and SDKs, usually a minute.',
  }),
  badTokenRatePerMinute: integer({
    names: ['YARDARM_BAD_TOKEN_RATE_LIMIT_PER_MINUTE'],
    default: 120,
    min: 0,
    max: 1e6,
    meaning: 'Requests with a wrong token per minute from one address; 0 turns the limit off.',
  }),
  ...connectionSettings,
  maxBodyBytes: integer({
    names: ['YARDARM_MAX_BODY_BYTES'],
    default: 102_400,
    min: 1024,
    max: 104_857_600,
    meaning: 'Size limit of ordinary request bodies, in bytes.',
  }),
  importMaxBodyBytes: integer({
    names: ['YARDARM_IMPORT_MAX_BODY_BYTES'],
    default: 33_554_432,
    min: 1024,
    max: 1_073_741_824,
    meaning:
      'Size limit of the request bodies of imports, exports and state as code, in bytes. They may contain 2,000,000 values, with 100,000 in one array or object; other bodies 100,000 and 10,000.',
  }),
  importFile: optionalText({
    names: ['IMPORT_FILE'],
    meaning:
      'File with exported flags, imported at the first start with a file for this project and environment. Existing flags are not changed.',
  }),
  importProject: text({
    names: ['IMPORT_PROJECT'],
    default: 'default',
    meaning: 'Project to import IMPORT_FILE into.',
  }),
  importEnvironment: text({
    names: ['IMPORT_ENVIRONMENT'],
    default: 'development',
    meaning: 'Environment to import IMPORT_FILE into.',
  }),
  ...limitSettings,
  logLevel: oneOf({
    names: ['LOG_LEVEL'],
    default: 'warn',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    meaning: 'Lowest log level.',
  }),
  shutdownDelayMs: optionalInteger({
    names: ['YARDARM_SHUTDOWN_DELAY'],
    min: 0,
    max: 600_000,
    meaning:
      'Milliseconds of a shutdown in which requests are still served, while /ready answers 503 to load balancers and each answer closes its connection. Default: 5000 with PostgreSQL, where other processes take over, and 0 with SQLite.',
  }),
  shutdownTimeoutMs: integer({
    names: ['GRACEFUL_SHUTDOWN_TIMEOUT'],
    default: 10_000,
    min: 0,
    max: 600_000,
    meaning: 'Milliseconds for running requests to finish in a shutdown.',
  }),
} as const;

/** The values of all settings. */
export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K]['default'] };
