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
 * Every setting, once. `names` are the environment variables that set it, the first being its own name and
 * the rest accepted for people who come from Unleash; each is also accepted with the prefix `YARDARM_`.
 */
export const settings = {
  host: text({ names: ['HTTP_HOST'], default: '0.0.0.0', meaning: 'Address to listen on.' }),
  port: integer({
    names: ['PORT', 'HTTP_PORT'],
    default: 4242,
    min: 0,
    max: 65535,
    meaning: 'Port; 0 takes a free one.',
  }),
  basePath: text({
    names: ['BASE_URI_PATH'],
    default: '',
    meaning: 'Path below which everything is served, such as /flags.',
  }),
  publicUrl: webAddress({
    names: ['UNLEASH_URL'],
    default: '',
    meaning: 'Address people and senders use; made from host and port when empty.',
  }),
  trustProxy: countOrBoolean({
    names: ['YARDARM_TRUST_PROXY'],
    default: 0,
    max: 100,
    meaning:
      'How many proxies stand in front that add to X-Forwarded-For, from which the client address is then taken; true is 1. Not one more than there are, or clients can name any address.',
  }),
  databaseUrl: url({
    names: ['DATABASE_URL'],
    secret: true,
    meaning: 'postgres://…; SQLite in the data directory when empty.',
  }),
  databaseSchema: text({ names: ['DATABASE_SCHEMA'], default: 'public', meaning: 'PostgreSQL schema to live in.' }),
  databasePoolMax: integer({
    names: ['YARDARM_DATABASE_POOL_MAX'],
    default: 10,
    min: 3,
    max: 500,
    meaning: 'Most PostgreSQL connections of this process.',
  }),
  dataDir: text({ names: ['YARDARM_DATA_DIR'], default: './data', meaning: 'Directory of the embedded database.' }),
  authType: oneOf({
    names: ['AUTH_TYPE'],
    default: 'open-source',
    values: ['open-source', 'none'],
    meaning: 'none: whoever reaches the administration API is an administrator.',
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
    meaning: 'Hours a login lasts.',
  }),
  sessionIdleMinutes: integer({
    names: ['YARDARM_SESSION_IDLE_MINUTES'],
    default: 1440,
    min: 0,
    max: 525_600,
    meaning: 'Minutes without a request after which a session ends; 0 lets it last for SESSION_TTL_HOURS.',
  }),
  secret: optionalText({
    names: ['UNLEASH_SECRET'],
    secret: true,
    meaning:
      'Password under which secrets are encrypted in the database: parameters of integrations, requests that actions make, the client secret of single sign-on. Without it they stand there as they are. The same in all processes.',
  }),
  previousSecret: optionalText({
    names: ['UNLEASH_SECRET_PREVIOUS'],
    secret: true,
    meaning:
      'The UNLEASH_SECRET before this one. Secrets encrypted under it are read, and encrypted under UNLEASH_SECRET at the start; it can be left out then.',
  }),
  readableSecrets: boolean({
    names: ['YARDARM_READABLE_SECRETS'],
    default: false,
    meaning:
      'Tell the secrets of API tokens made from now on, and that of the OpenID Connect client, to those who may read the rest of them, as programs that come from Unleash, such as its Terraform provider, expect. They are kept encrypted under UNLEASH_SECRET, which this needs.',
  }),
  enabledEnvironments: list({
    names: ['ENABLED_ENVIRONMENTS'],
    meaning:
      'Environments that are switched on at each start, such as development,production; the others stay as they are.',
  }),
  ...oidcSettings,
  userInactivityDays: integer({
    names: ['USER_INACTIVITY_THRESHOLD_IN_DAYS'],
    default: 180,
    min: 1,
    max: 36_500,
    meaning: 'Days after which a user of whom nothing was seen counts as inactive.',
  }),
  loginHistoryRetentionDays: integer({
    names: ['YARDARM_LOGIN_HISTORY_RETENTION_DAYS'],
    default: 365,
    min: 0,
    max: 36_500,
    meaning: 'Days that it is known who logged in, or tried to; 0 keeps it for ever.',
  }),
  secureCookies: boolean({
    names: ['SECURE_HEADERS'],
    default: false,
    meaning: 'Serve over HTTPS only: Secure cookies and HSTS.',
  }),
  bindingReview: boolean({
    names: ['YARDARM_BINDING_REVIEW'],
    default: false,
    meaning:
      'Review cannot be skipped, not even by administrators and Owners; the permission BREAK_GLASS_CHANGE_REQUEST lets a change through with a reason.',
  }),
  loginRatePerMinute: integer({
    names: ['SIMPLE_LOGIN_LIMIT_PER_MINUTE'],
    default: 10,
    min: 0,
    max: 1e6,
    meaning: 'Logins a minute from one address; 0 lifts the limit.',
  }),
  loginFailuresBeforeDelay: integer({
    names: ['YARDARM_LOGIN_FAILURES_BEFORE_DELAY'],
    default: 10,
    min: 0,
    max: 1000,
    meaning:
      'Failed logins with one user name after which the next has to wait: 1 second, then twice as long with each, up to 15 minutes. Networks that the user has logged in from before have counts of their own. 0 lifts the delay.',
  }),
  createUserRatePerMinute: integer({
    names: ['CREATE_USER_RATE_LIMIT_PER_MINUTE'],
    default: 20,
    min: 0,
    max: 1e6,
    meaning: 'Users a minute that are created from one address; 0 lifts the limit.',
  }),
  clearSiteDataOnLogout: boolean({
    names: ['SESSION_CLEAR_SITE_DATA_ON_LOGOUT'],
    default: true,
    meaning: 'Tell browsers to forget all they hold of this site when somebody logs out.',
  }),
  maxParallelSessions: integer({
    names: ['MAX_PARALLEL_SESSIONS'],
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Sessions of one user; the oldest ends when one more starts.',
  }),
  ...signalSettings,
  ...eventSearchSettings,
  usageRetentionDays: integer({
    names: ['DAILY_METRICS_STORAGE_DAYS'],
    default: 91,
    min: 0,
    max: 36_500,
    meaning: 'Days that counts of evaluations are kept; 0 keeps them for ever.',
  }),
  allowPrivateIntegrationUrls: boolean({
    names: ['UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION'],
    default: false,
    meaning: 'Let integrations call private addresses, such as those of this machine and its network.',
  }),
  allowedIntegrationHosts: list({
    names: ['UNLEASH_ALLOW_LIST_INTEGRATION'],
    meaning: 'Hosts that integrations may call although their addresses are private.',
  }),
  applicationRetentionDays: integer({
    names: ['YARDARM_APPLICATION_RETENTION_DAYS'],
    default: 30,
    min: 1,
    max: 36_500,
    meaning:
      'Days after which an application that has not been heard of is forgotten, unless a person has described it.',
  }),
  applicationLimit: integer({
    names: ['YARDARM_APPLICATION_LIMIT'],
    default: 1000,
    min: 1,
    max: 100_000,
    meaning:
      'Applications that SDKs make known by reporting under their names; what reports under more names is not noted.',
  }),
  frontendApiOrigins: origins({
    names: ['UNLEASH_FRONTEND_API_ORIGINS'],
    meaning:
      'Origins whose pages may use the interface for frontend SDKs, such as https://example.com, until somebody sets others; any when empty.',
  }),
  accessControlMaxAge: integer({
    names: ['ACCESS_CONTROL_MAX_AGE'],
    default: 86_400,
    min: 0,
    max: 31_536_000,
    meaning: 'Seconds for which browsers may remember that pages of other origins may use it.',
  }),
  clientMetricsRatePerMinute: integer({
    names: ['CLIENT_METRICS_RATE_LIMIT_PER_MINUTE'],
    default: 12_000,
    min: 0,
    max: 1e6,
    meaning:
      'Reports of usage a minute that a process takes with one backend token, single ones and those of many instances together; 0 lifts the limit.',
  }),
  clientRegisterRatePerMinute: integer({
    names: ['REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE'],
    default: 6000,
    min: 0,
    max: 1e6,
    meaning: 'Registrations a minute that a process takes with one backend token; 0 lifts the limit.',
  }),
  frontendMetricsRatePerMinute: integer({
    names: ['FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE'],
    default: 6000,
    min: 0,
    max: 1e6,
    meaning: 'Reports of usage a minute that a process takes from frontend SDKs at one address; 0 lifts the limit.',
  }),
  frontendRegisterRatePerMinute: integer({
    names: ['REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE'],
    default: 6000,
    min: 0,
    max: 1e6,
    meaning: 'Registrations a minute that a process takes from frontend SDKs at one address; 0 lifts the limit.',
  }),
  ofrepRatePerMinute: integer({
    names: ['YARDARM_OFREP_RATE_LIMIT_PER_MINUTE'],
    default: 60_000,
    min: 0,
    max: 1e9,
    meaning: 'Evaluations by OFREP a minute that a process makes for one address; 0 lifts the limit.',
  }),
  streamLimit: integer({
    names: ['YARDARM_STREAM_LIMIT'],
    default: 10_000,
    min: 0,
    max: 1_000_000,
    meaning: 'Most streams to SDKs that a process keeps open; to more it answers 429, and they poll.',
  }),
  streamTokenShare: integer({
    names: ['YARDARM_STREAM_TOKEN_SHARE'],
    default: 50,
    min: 1,
    max: 100,
    meaning:
      'How much of YARDARM_STREAM_LIMIT the streams of one token may take, in percent; to more of them a process answers 429, and they poll.',
  }),
  streamHeartbeatSeconds: integer({
    names: ['YARDARM_STREAM_HEARTBEAT_SECONDS'],
    default: 25,
    min: 1,
    max: 3600,
    meaning: 'How often streams show that they are alive. Keep it below what proxies and SDKs wait, usually a minute.',
  }),
  badTokenRatePerMinute: integer({
    names: ['YARDARM_BAD_TOKEN_RATE_LIMIT_PER_MINUTE'],
    default: 120,
    min: 0,
    max: 1e6,
    meaning: 'Requests with a wrong token a minute from one address; 0 lifts the limit.',
  }),
  ...connectionSettings,
  maxBodyBytes: integer({
    names: ['YARDARM_MAX_BODY_BYTES'],
    default: 102_400,
    min: 1024,
    max: 104_857_600,
    meaning: 'Largest request body of the other routes, in bytes.',
  }),
  importMaxBodyBytes: integer({
    names: ['YARDARM_IMPORT_MAX_BODY_BYTES'],
    default: 33_554_432,
    min: 1024,
    max: 1_073_741_824,
    meaning:
      'Largest request body of what holds many flags at once: imports, exports and state as code, in bytes. It may hold 2,000,000 values, 100,000 in one array or object; other bodies 100,000 and 10,000.',
  }),
  importFile: optionalText({
    names: ['IMPORT_FILE'],
    meaning:
      'Export of flags to import when the service starts for the first time with one for this project and environment. Flags that there are already are left alone.',
  }),
  importProject: text({ names: ['IMPORT_PROJECT'], default: 'default', meaning: 'Project that IMPORT_FILE goes to.' }),
  importEnvironment: text({
    names: ['IMPORT_ENVIRONMENT'],
    default: 'development',
    meaning: 'Environment that IMPORT_FILE is for.',
  }),
  ...limitSettings,
  logLevel: oneOf({
    names: ['LOG_LEVEL'],
    default: 'warn',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    meaning: 'Least severe line that is logged.',
  }),
  shutdownDelayMs: optionalInteger({
    names: ['YARDARM_SHUTDOWN_DELAY'],
    min: 0,
    max: 600_000,
    meaning:
      'Milliseconds that requests are still taken when stopping, while /ready says 503 to load balancers and each answer ends its connection. Unless set, 5000 with PostgreSQL, where other processes take over, and 0 with SQLite.',
  }),
  shutdownTimeoutMs: integer({
    names: ['GRACEFUL_SHUTDOWN_TIMEOUT'],
    default: 10_000,
    min: 0,
    max: 600_000,
    meaning: 'Milliseconds that requests in hand get to finish when stopping.',
  }),
} as const;

/** What is in force: one value a setting. */
export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K]['default'] };
