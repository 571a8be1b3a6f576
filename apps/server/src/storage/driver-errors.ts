import { mayHaveChanged } from '#kernel/begun-changes.ts';
import { Problem } from '#kernel/errors.ts';

/** An error of SQLite, with its extended result code. */
export class SqliteError extends Error {
  readonly code: number | undefined;
  constructor(message: string, code: number | undefined) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** The database was closed by the shutdown, before this statement. */
export class DatabaseClosed extends Error {
  constructor() {
    super('the database is closed');
    this.name = 'DatabaseClosed';
  }
}

// Primary result codes after which nothing was stored and a retry may succeed:
// BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN.
const sqliteUnavailable = new Set([5, 6, 7, 8, 10, 13, 14]);
// Error codes of PostgreSQL after which a retry may succeed: the classes 08 (connection), 40 (rolled back), 53
// (resources, disk full), 57 (shut down, cancelled) and 58 (system error), and the codes 25006 (read-only) and 55P03
// (waited too long for a lock).
const postgresUnavailable = /^(08|40|53|57|58)|^25006$|^55P03$/;
const socketUnavailable = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** The configured database cannot be opened. */
export class DatabaseUnusable extends Error {}

// The login was refused, or the database does not exist.
const postgresRefused = /^(28|3D)/;

/**
 * Returns a {@link DatabaseUnusable} when `error` says that PostgreSQL at `url` cannot be used; other errors unchanged.
 */
export function asUnusable(error: unknown, url: string): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (!isUnavailable(error) && !postgresRefused.test(String(code))) return error;
  // The message is empty when a host has several addresses.
  return new DatabaseUnusable(`PostgreSQL at ${hostOf(url)} cannot be used: ${message || code}`, { cause: error });
}

/** Returns host and port, without user and password. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'this machine' : 'the address that is set';
}

/** Returns whether PostgreSQL did not answer a statement within `query_timeout`. */
export function isQueryTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * The message of the error with which SQLite's thread refuses a statement in a failed transaction. PostgreSQL has the
 * error 25P02 for this.
 */
export const transactionFailed = 'the transaction has failed; statements are refused until it is rolled back';
const inFailedTransaction = '25P02';

/** Returns whether `error` only says that an earlier statement of the transaction failed. */
export function isConsequence(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === inFailedTransaction || (error instanceof SqliteError && message === transactionFailed);
}

/** Returns whether `error` says that the database is temporarily unavailable. */
export function isUnavailable(error: unknown): boolean {
  // The message of a Problem may quote a request, so it must not be compared with the texts below.
  if (error instanceof Problem) return false;
  if (error instanceof DatabaseClosed) return true;
  if (error instanceof SqliteError) return error.code !== undefined && sqliteUnavailable.has(error.code & 0xff);
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (postgresUnavailable.test(code) || socketUnavailable.has(code))) return true;
  return (
    typeof message === 'string' &&
    /connection terminated|timeout exceeded when trying to connect|read timeout|database thread has ended|not queryable|calling end on the pool/i.test(
      message,
    )
  );
}

// After these errors it is unknown whether a running commit succeeded: the connection broke, PostgreSQL ended it
// (but not 57P03 and 53300, which refuse a new one), or SQLite's file could not be written or synced.
const connectionLost = /^(ECONNABORTED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|08...)$/;
const connectionEnded = /^(FATAL|PANIC)$/;
const connectionRefused = /^(57P03|53300)$/;
const sqliteIoError = 10;

function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof SqliteError) return error.code !== undefined && (error.code & 0xff) === sqliteIoError;
  const { code, message, severity } = error as { code?: unknown; message?: unknown; severity?: unknown };
  if (connectionEnded.test(String(severity))) return !connectionRefused.test(String(code));
  return (
    connectionLost.test(String(code)) ||
    /terminated unexpectedly|read timeout|thread has ended|not queryable/i.test(String(message))
  );
}

/**
 * Translates a driver error into a 503 when the database is unavailable or cannot write, so that clients retry. The
 * message says when a change may have been made nevertheless: also for a failed read in a request that has begun a
 * change before. Other errors are bugs and are returned unchanged.
 */
export function translateDriverError(error: unknown, doing: 'reading' | 'writing'): unknown {
  if (error instanceof Problem || !isUnavailable(error)) return error;
  const message =
    doing === 'reading' && !mayHaveChanged()
      ? 'The database is unavailable, so the request could not be answered. Try again.'
      : doing === 'reading' || isOutcomeUnknown(error)
        ? 'The database failed during this request. A change may or may not have been made: check before you repeat it. A signal with an Idempotency-Key can be sent again safely.'
        : 'The database is unavailable. Nothing was changed; try again.';
  return new Problem('ServiceUnavailableError', message, { headers: { 'retry-after': '1' }, cause: error });
}

/** Resolves with `result`; translates its error with {@link translateDriverError}. */
export async function translated<T>(result: Promise<T>, doing: 'reading' | 'writing' = 'writing'): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw translateDriverError(error, doing);
  }
}
