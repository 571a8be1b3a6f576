import { type ClientBase, type ClientConfig, types } from 'pg';
import { DatabaseUnusable } from '../driver-errors.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly schema: string;
  readonly poolMax: number;
  /** Called with errors of connections that no request is waiting for. */
  readonly onError: (error: Error) => void;
}

/**
 * Parses bigint and numeric as numbers, as SQLite does. The driver would return text; all stored values fit a double.
 */
export const numberTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
};

/** The settings of a session, by the name of the parameter of PostgreSQL. */
type SessionSettings = Readonly<Record<string, string>>;

/** How connections to a database are made. */
export interface Connecting {
  readonly config: ClientConfig;
  readonly settings: SessionSettings & { readonly statement_timeout: string };
  /** Applies the settings to a new connection. Rejects when PostgreSQL refuses one. */
  readonly prepare: (client: ClientBase) => Promise<void>;
}

/**
 * Returns how every connection to a database is made. `own` are the settings of the connections of one task.
 * - `search_path` limits the connection to one schema.
 * - The isolation level is read committed, because a change that has waited for the lock must see everything that was
 *   committed while it waited.
 * - `statement_timeout` and the like end statements and idle transactions on the server. `query_timeout` is longer: it
 *   applies when the server does not answer at all.
 * - `random_page_cost` is low because the data fits into memory; the default is for rotating disks.
 * - Server options in the URL override the time limits and costs, but not the schema and the isolation level.
 *
 * The settings are statements, not options of the start of the connection: poolers refuse these options or, like
 * PgBouncer with `ignore_startup_parameters`, ignore them silently.
 */
export function connectingTo(place: { url: string; schema: string }, own: SessionSettings = {}): Connecting {
  const { url, serverOptions } = splitOptions(place.url);
  const settings = {
    statement_timeout: '30000',
    lock_timeout: '5000',
    idle_in_transaction_session_timeout: '30000',
    random_page_cost: '1.1',
    ...readOptions(serverOptions),
    ...own,
    search_path: `"${place.schema.replaceAll('"', '""')}",public`,
    default_transaction_isolation: 'read committed',
  };
  const names = Object.keys(settings);
  const calls = names.map((_name, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, false)`);
  const text = `select ${calls.join(', ')}`;
  return {
    config: {
      connectionString: url,
      connectionTimeoutMillis: 5000,
      query_timeout: 35_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'yardarm',
    },
    settings,
    prepare: async (client) => {
      await client.query(text, Object.entries(settings).flat());
    },
  };
}

/** Splits the parameter `options` off the URL, because the driver would send it when the connection starts. */
function splitOptions(text: string): { url: string; serverOptions: string } {
  const url = URL.parse(text);
  const serverOptions = url?.searchParams.get('options') ?? '';
  if (url === null || serverOptions === '') return { url: text, serverOptions };
  url.searchParams.delete('options');
  return { url: url.href, serverOptions };
}

/**
 * Reads the settings in server options, `-c name=value` or `--name=value` with backslashes before blanks (PostgreSQL's
 * documentation, connection parameter "options"). Throws a {@link DatabaseUnusable} for other options.
 */
function readOptions(text: string): SessionSettings {
  const words = (text.match(/(?:\\.|[^\s\\])+/g) ?? []).map((word) => word.replaceAll(/\\(.)/g, '$1'));
  const settings: Record<string, string> = {};
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const setting = word === '-c' ? (words.shift() ?? '') : word.slice(2);
    const [, name, value = ''] = /^([\w.-]+)=(.*)$/s.exec(setting) ?? [];
    if (name === undefined || !/^-[c-]/.test(word)) {
      throw new DatabaseUnusable(`The options in DATABASE_URL contain ${word}; only settings are read, -c name=value.`);
    }
    settings[name.replaceAll('-', '_')] = value;
  }
  return settings;
}
