import { type ClientConfig, types } from 'pg';

export interface PostgresOptions {
  readonly url: string;
  readonly schema: string;
  readonly poolMax: number;
  /** Told of connection trouble that no request is waiting on. */
  readonly onError: (error: Error) => void;
}

/** bigint and numeric come as text from the driver; ours all fit a double, and the other engine gives numbers. */
export const numberTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
};

/**
 * How every connection is made: it sees only our schema, what was committed before each statement (changes look
 * after they have waited for their turn), and no statement or idle transaction hangs for ever. The server ends
 * what takes too long; `query_timeout` is for one that no longer answers at all, so it is longer. Everything that is asked often
 * fits into memory, where looking up a few rows of a thousand beats reading them all: PostgreSQL would rather read them, for
 * it reckons with disks that turn. What the URL sets of the server's own settings beats our time limits and costs, but
 * neither the schema nor the isolation, on which we rely.
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

/** The URL without its parameter `options`, which would replace ours instead of being added to them. */
function splitOptions(text: string): { url: string; serverOptions: string } {
  const url = URL.parse(text);
  const serverOptions = url?.searchParams.get('options') ?? '';
  if (url === null || serverOptions === '') return { url: text, serverOptions };
  url.searchParams.delete('options');
  return { url: url.href, serverOptions };
}

/** As one word of the server's command line (PostgreSQL's documentation, "options" of a connection). */
function escaped(value: string): string {
  return value.replaceAll(/[\s\\]/g, '\\$&');
}
