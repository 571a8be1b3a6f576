import { type ClientConfig, types } from 'pg';

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

/**
 * Returns the options of every connection.
 * - `search_path` limits the connection to one schema.
 * - The isolation level is read committed, because a change that has waited for the lock must see everything that was
 *   committed while it waited.
 * - `statement_timeout` and the like end statements and idle transactions on the server. `query_timeout` is longer: it
 *   applies when the server does not answer at all.
 * - `random_page_cost` is low because the data fits into memory; the default is for rotating disks.
 * - Server options in the URL override the time limits and costs, but not the schema and the isolation level.
 */
export function connectionOptions(options: { url: string; schema: string }): ClientConfig {
  const { url, serverOptions } = splitOptions(options.url);
  const limits = '-c statement_timeout=30000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000';
  const costs = '-c random_page_cost=1.1';
  const schema = escaped(`"${options.schema.replaceAll('"', '""')}",public`);
  return {
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 35_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'yardarm',
    options: `${limits} ${costs} ${serverOptions} -c search_path=${schema} -c default_transaction_isolation=read\\ committed`,
  };
}

/** Splits the parameter `options` off the URL, because the driver would use it instead of {@link connectionOptions}. */
function splitOptions(text: string): { url: string; serverOptions: string } {
  const url = URL.parse(text);
  const serverOptions = url?.searchParams.get('options') ?? '';
  if (url === null || serverOptions === '') return { url: text, serverOptions };
  url.searchParams.delete('options');
  return { url: url.href, serverOptions };
}

/** Escapes a value for the server's command line (PostgreSQL's documentation, connection parameter "options"). */
function escaped(value: string): string {
  return value.replaceAll(/[\s\\]/g, '\\$&');
}
