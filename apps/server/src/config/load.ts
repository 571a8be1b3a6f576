import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { allowedValues, type Setting } from './setting-types.ts';
import { type Config, settings } from './settings.ts';

/** The error that lists all mistakes in the settings, so that one start reports every mistake. */
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
const allSettings = Object.entries<Setting>(settings);

/** Returns the environment variables that set `setting`, those with the prefix `YARDARM_` first. */
function variablesOf(setting: Setting): string[] {
  const own = setting.names.filter((name) => !name.startsWith(prefix));
  const prefixed = own.flatMap((name) => [prefix + name.replace(/^UNLEASH_/, ''), prefix + name]);
  return [...new Set([...prefixed, ...setting.names])];
}

/** Variables of the client commands. A server that is started in the same shell must not refuse them as unknown. */
const variablesOfCommands = [`${prefix}TOKEN`];

const settingVariables = allSettings.flatMap(([, setting]) => variablesOf(setting));
const knownVariables: ReadonlySet<string> = new Set([
  ...settingVariables,
  ...settingVariables.map((name) => `${name}_FILE`),
  `${prefix}CONFIG`,
  ...variablesOfCommands,
]);

/**
 * Reads the settings from `variables` and from the file that `YARDARM_CONFIG` names (lines of NAME=value). Variables
 * take precedence over the file. Throws a {@link ConfigError} with all mistakes: invalid values, unknown names in the
 * file, unknown `YARDARM_` variables, and settings that need others.
 */
export function loadConfig(variables: Variables): Config {
  const mistakes: string[] = [];
  const fromFile = readConfigFile(variables, mistakes);
  for (const name of Object.keys(variables)) {
    if (name.startsWith(prefix) && !knownVariables.has(name)) mistakes.push(`${name} is not a setting`);
  }
  const values: Record<string, unknown> = {};
  for (const [key, setting] of allSettings) {
    // By setting and not by variable: PORT of the environment beats YARDARM_PORT of the file.
    const set = nameOf(setting, variables) === undefined ? fromFile : variables;
    values[key] = readSetting(setting, set, mistakes);
  }
  const config = values as Config;
  mistakes.push(...missingSettings(config));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

function readConfigFile(variables: Variables, mistakes: string[]): Variables {
  const path = variables[`${prefix}CONFIG`];
  if (path === undefined) return {};
  try {
    const values = parseEnv(readFileSync(path, 'utf8'));
    const unknown = Object.keys(values).filter((name) => !knownVariables.has(name));
    mistakes.push(...unknown.map((name) => `${name} in ${path} is not a setting`));
    return values;
  } catch (error) {
    mistakes.push(`${prefix}CONFIG: ${(error as Error).message}`);
    return {};
  }
}

/** Returns the name of the variable, or `_FILE` variable, that sets a setting; undefined when none does. */
function nameOf(setting: Setting, variables: Variables): string | undefined {
  return variablesOf(setting)
    .flatMap((variable) => [variable, `${variable}_FILE`])
    .find((name) => variables[name] !== undefined);
}

/** Returns the value of a setting from its variables or `_FILE` variables; undefined after adding a mistake. */
function readSetting(setting: Setting, variables: Variables, mistakes: string[]): unknown {
  const name = nameOf(setting, variables);
  if (name === undefined) return setting.value.parse(undefined);
  let text = variables[name] as string;
  try {
    if (!variablesOf(setting).includes(name)) text = readFileSync(text, 'utf8').trimEnd();
  } catch (error) {
    mistakes.push(`${name}: ${(error as Error).message}`);
    return undefined;
  }
  const parsed = setting.value.safeParse(text === '' && setting.value.type === 'optional' ? undefined : text);
  if (parsed.success) return parsed.data;
  const shown = setting.secret ? '' : `, not ${JSON.stringify(text.slice(0, 100))}`;
  mistakes.push(`${name} must be ${allowedValues(setting)}${shown}`);
  return undefined;
}

/** Returns a mistake for each missing setting that another setting needs. */
function missingSettings(config: Partial<Config>): string[] {
  const oidc = [
    ['OIDC_DISCOVER_URL', config.oidcDiscoverUrl],
    ['OIDC_CLIENT_ID', config.oidcClientId],
    ['OIDC_CLIENT_SECRET', config.oidcClientSecret],
  ];
  const missing = oidc
    .filter(([, value]) => config.oidcEnabled && !value)
    .map(([name]) => `OIDC_ENABLED needs ${name}`);
  if (config.readableSecrets && !config.secret)
    missing.push('YARDARM_READABLE_SECRETS needs UNLEASH_SECRET, with which the secrets are encrypted');
  if (config.previousSecret && !config.secret)
    missing.push('UNLEASH_SECRET_PREVIOUS needs UNLEASH_SECRET, with which the secrets are encrypted again');
  return missing;
}

/** Unleash's variables for the parts of a database address. Yardarm has one setting instead: DATABASE_URL. */
const databaseVariables = ['HOST', 'PORT', 'NAME', 'USERNAME', 'PASSWORD', 'SSL'].map((part) => `DATABASE_${part}`);

/**
 * Returns the variables that name a PostgreSQL database in Unleash's way while DATABASE_URL is not set. Yardarm ignores
 * them and stores its data in SQLite, so the start warns. Returns an empty list when they name no database.
 */
export function ignoredDatabaseVariables(variables: Variables, { databaseUrl }: Config): readonly string[] {
  const set = databaseVariables.filter((name) => Boolean(variables[name]));
  const namesDatabase = set.includes('DATABASE_HOST') || set.includes('DATABASE_NAME');
  return databaseUrl === undefined && namesDatabase ? set : [];
}

/** The variables that configure Unleash (docs/spec#settings). Some of them are settings of Yardarm. */
const unleashVariables = [
  /^(UNLEASH|EMAIL|SDK_API_RATE_LIMIT|CSP_ALLOWED|AUTH_DEMO|AUTH_ENABLE|CLIENT_FEATURE_CACHING|SAML)_/,
  /^(CHECK_VERSION|SEND_TELEMETRY|ENABLE_OAS|CDN_PREFIX|EDGE_URL|CHECK_DB_ON_READY|DATABASE_STATEMENT_TIMEOUT_MS)$/,
  /^(CLIENT_METRICS|REGISTER_CLIENT)_RATE_LIMIT_PER_MINUTE$|^PASSWORD_RESET_LIMIT_PER_MINUTE$/,
  /^(GRACEFUL_SHUTDOWN_ENABLE|SERVER_KEEPALIVE_TIMEOUT|SERVER_DISABLE_COMPRESSION|FRONTEND_API_REFRESH_INTERVAL_MS)$/,
];

/** Returns the names of Unleash's variables that are set but are not settings of Yardarm, sorted. */
export function ignoredUnleashVariables(variables: Variables): readonly string[] {
  return Object.keys(variables)
    .filter((name) => !knownVariables.has(name) && unleashVariables.some((pattern) => pattern.test(name)))
    .toSorted();
}

/** Returns the settings in force as lines of `NAME=value`, with secrets hidden. */
export function describeConfig(config: Config): string {
  return allSettings
    .map(([key, { names, secret }]) => {
      const text = String(config[key as keyof Config] ?? '');
      return `${names[0]}=${secret && text !== '' ? '(set, hidden)' : text}`;
    })
    .join('\n');
}

/** Returns the settings in force that are no secrets, by the name of their variable. */
export function settingsInForce(config: Config): { readonly name: string; readonly value: string }[] {
  return allSettings.flatMap(([key, { names, secret }]) =>
    secret === true ? [] : [{ name: names[0], value: String(config[key as keyof Config] ?? '') }],
  );
}
