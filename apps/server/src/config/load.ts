import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Setting } from './setting-types.ts';
import { type Config, settings } from './settings.ts';

/** All mistakes in the settings, so that one start reports every mistake. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(`The settings are not valid:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

type Variables = Readonly<Record<string, string | undefined>>;
const prefix = 'YARDARM_';

/** Returns the environment variables that set `setting`, the most specific first. */
function variablesOf(setting: Setting<unknown>): string[] {
  const own = setting.names.filter((name) => !name.startsWith(prefix));
  const prefixed = own.flatMap((name) => [prefix + name.replace(/^UNLEASH_/, ''), prefix + name]);
  return [...new Set([...prefixed, ...setting.names])];
}

/** Variables of the client commands. A server that is started in the same shell must accept them. */
const ofCommands = [`${prefix}TOKEN`];

function knownVariables(): Set<string> {
  const names = Object.values(settings).flatMap((setting) => variablesOf(setting as Setting<unknown>));
  return new Set([...names, ...names.map((name) => `${name}_FILE`), `${prefix}CONFIG`, ...ofCommands]);
}

/** Finds the text of a setting in its variables, or in the file that its `_FILE` variable names. */
function findText(setting: Setting<unknown>, variables: Variables): { name: string; value: string } | undefined {
  for (const name of variablesOf(setting)) {
    const direct = variables[name];
    if (direct !== undefined) return { name, value: direct };
    const file = variables[`${name}_FILE`];
    if (file !== undefined) return { name: `${name}_FILE`, value: readFileSync(file, 'utf8').trimEnd() };
  }
  return undefined;
}

function readAll(variables: Variables, mistakes: string[]): Config {
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    try {
      const found = findText(setting as Setting<unknown>, variables);
      values[key] = setting.default;
      if (found !== undefined) values[key] = parseNamed(setting as Setting<unknown>, found);
    } catch (error) {
      mistakes.push(error instanceof Error ? error.message : String(error));
    }
  }
  return values as Config;
}

function parseNamed(setting: Setting<unknown>, found: { name: string; value: string }): unknown {
  try {
    return setting.parse(found.value);
  } catch (error) {
    throw new Error(`${found.name} ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Reads the settings from `variables` and from the file that `YARDARM_CONFIG` names (lines of NAME=value). Variables
 * take precedence over the file. Throws a {@link ConfigError} with all mistakes: invalid values, unknown names in the
 * file, and unknown `YARDARM_` variables.
 */
export function loadConfig(variables: Variables): Config {
  const mistakes: string[] = [];
  const known = knownVariables();
  const path = variables[`${prefix}CONFIG`];
  const fromFile: Record<string, string | undefined> = {};
  if (path !== undefined) {
    try {
      Object.assign(fromFile, parseEnv(readFileSync(path, 'utf8')));
    } catch (error) {
      mistakes.push(`${prefix}CONFIG: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const name of Object.keys(fromFile)) if (!known.has(name)) mistakes.push(`${name} in ${path} is not a setting`);
  for (const name of Object.keys(variables)) {
    if (name.startsWith(prefix) && !known.has(name)) mistakes.push(`${name} is not a setting`);
  }
  const config = readAll({ ...fromFile, ...variables }, mistakes);
  if (config.oidcEnabled === true) {
    const missing = { OIDC_DISCOVER_URL: config.oidcDiscoverUrl, OIDC_CLIENT_ID: config.oidcClientId };
    for (const [name, value] of Object.entries({ ...missing, OIDC_CLIENT_SECRET: config.oidcClientSecret }))
      if (value === undefined || value === '') mistakes.push(`OIDC_ENABLED needs ${name}`);
  }
  if (config.readableSecrets && !config.secret)
    mistakes.push('YARDARM_READABLE_SECRETS needs UNLEASH_SECRET, with which the secrets are encrypted');
  if (config.previousSecret && !config.secret)
    mistakes.push('UNLEASH_SECRET_PREVIOUS needs UNLEASH_SECRET, with which the secrets are encrypted again');
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { ...config, basePath: normaliseBasePath(config.basePath) };
}

/** The variables that configure Unleash's database in parts. Yardarm has one setting, DATABASE_URL. */
const databasePartVariables = ['HOST', 'PORT', 'NAME', 'USERNAME', 'PASSWORD', 'SSL'].map(
  (piece) => `DATABASE_${piece}`,
);

/**
 * Returns the variables that configure a PostgreSQL database for Unleash, when `config` has no database: they have no
 * effect, and the data would be in SQLite. Returns an empty list when no warning is needed.
 */
export function databaseLeftOut(variables: Variables, { databaseUrl }: Config): readonly string[] {
  if (databaseUrl !== undefined) return [];
  const isSet = (name: string) => (variables[name] ?? '') !== '';
  return isSet('DATABASE_HOST') || isSet('DATABASE_NAME') ? databasePartVariables.filter(isSet) : [];
}

/**
 * Names and families of variables that configure Unleash (docs/spec#settings); the ones that are settings here are
 * used.
 */
const ofUnleash = [
  /^(UNLEASH|EMAIL|SDK_API_RATE_LIMIT|CSP_ALLOWED|AUTH_DEMO|AUTH_ENABLE|CLIENT_FEATURE_CACHING|SAML)_/,
  /^(CHECK_VERSION|SEND_TELEMETRY|ENABLE_OAS|CDN_PREFIX|EDGE_URL|CHECK_DB_ON_READY|DATABASE_STATEMENT_TIMEOUT_MS)$/,
  /^(CLIENT_METRICS|REGISTER_CLIENT)_RATE_LIMIT_PER_MINUTE$|^PASSWORD_RESET_LIMIT_PER_MINUTE$/,
  /^(GRACEFUL_SHUTDOWN_ENABLE|SERVER_KEEPALIVE_TIMEOUT|SERVER_DISABLE_COMPRESSION|FRONTEND_API_REFRESH_INTERVAL_MS)$/,
];

/** Returns the names of the variables of Unleash that are set and have no effect here, sorted. */
export function withoutEffect(variables: Variables): readonly string[] {
  const known = knownVariables();
  return Object.keys(variables)
    .filter((name) => !known.has(name) && ofUnleash.some((family) => family.test(name)))
    .toSorted();
}

/** A leading slash, none at the end (docs/spec#http-rules). */
function normaliseBasePath(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}

/** Returns the settings in force as lines of `NAME=value`, with secrets hidden. */
export function describeConfig(config: Config): string {
  return Object.entries(settings)
    .map(([key, setting]) => {
      const value = config[key as keyof Config];
      const empty = value === undefined || (Array.isArray(value) && value.length === 0);
      const shown = setting.secret && !empty ? '(set, hidden)' : Array.isArray(value) ? value.join(',') : (value ?? '');
      return `${setting.names[0]}=${shown}`;
    })
    .join('\n');
}
