import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Setting } from './kinds.ts';
import { type Config, settings } from './settings.ts';

/** All that is wrong with the settings, together, so that one start tells everything. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(`The settings are not usable:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

type Variables = Readonly<Record<string, string | undefined>>;
const prefix = 'YARDARM_';

/** Every variable that sets `setting`, the most specific first. */
function variablesOf(setting: Setting<unknown>): string[] {
  const own = setting.names.filter((name) => !name.startsWith(prefix));
  const prefixed = own.flatMap((name) => [prefix + name.replace(/^UNLEASH_/, ''), prefix + name]);
  return [...new Set([...prefixed, ...setting.names])];
}

/** Variables that the program reads when it speaks to a server; a server in the same shell must not stumble over them. */
const ofCommands = [`${prefix}TOKEN`];

function knownVariables(): Set<string> {
  const names = Object.values(settings).flatMap((setting) => variablesOf(setting as Setting<unknown>));
  return new Set([...names, ...names.map((name) => `${name}_FILE`), `${prefix}CONFIG`, ...ofCommands]);
}

/** The text that sets a setting, from the variable or from the file that its `_FILE` variable names. */
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
 * Reads the settings from `variables` and from the file that `YARDARM_CONFIG` names (lines of NAME=value);
 * a variable beats the file. Throws a {@link ConfigError} with every mistake: values that cannot be read,
 * unknown names in the file, and unknown `YARDARM_` variables.
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
    mistakes.push('YARDARM_READABLE_SECRETS needs UNLEASH_SECRET, under which they are encrypted');
  if (config.previousSecret && !config.secret)
    mistakes.push('UNLEASH_SECRET_PREVIOUS needs UNLEASH_SECRET, under which secrets are encrypted again');
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { ...config, basePath: normaliseBasePath(config.basePath) };
}

/** By which Unleash can be told its database piece by piece; here it is one setting. */
const databaseInPieces = ['HOST', 'PORT', 'NAME', 'USERNAME', 'PASSWORD', 'SSL'].map((piece) => `DATABASE_${piece}`);

/**
 * Those variables of Unleash that name a PostgreSQL, when `config` names none: whoever set them would find the data in
 * SQLite. None when there is nothing to warn of.
 */
export function databaseLeftOut(variables: Variables, { databaseUrl }: Config): readonly string[] {
  if (databaseUrl !== undefined) return [];
  const isSet = (name: string) => (variables[name] ?? '') !== '';
  return isSet('DATABASE_HOST') || isSet('DATABASE_NAME') ? databaseInPieces.filter(isSet) : [];
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

/** What is in force, one `NAME=value` a line, secrets hidden. */
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
