import { Problem } from '../kernel/errors.ts';

/** A failure that SQLite reported, with its extended result code. */
export class SqliteError extends Error {
  readonly code: number | undefined;
  constructor(message: string, code: number | undefined) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

// Primary result codes after which nothing was stored and a later try may go through:
// BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN.
const sqliteUnavailable = new Set([5, 6, 7, 8, 10, 13, 14]);
// Classes 08 (connection), 40 (rolled back), 53 (resources, disk full), 57 (shut down, cancelled), 58 (system error), and
// 25006 (read-only), 55P03 (waited too long for a lock).
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

/** The database cannot be opened as the settings name it. The message is for whoever started the program. */
export class DatabaseUnusable extends Error {}

// Besides being out of reach: who asks is not let in, or there is no such database.
const postgresRefused = /^(28|3D)/;

/** What to tell of `error` by which PostgreSQL at that URL could not be opened; a bug stays what it is. */
export function whyUnusable(error: unknown, url: string): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (!isUnavailable(error) && !postgresRefused.test(String(code))) return error;
  // Of a host with several addresses the message is empty.
  return new DatabaseUnusable(`PostgreSQL at ${placeIn(url)} cannot be used: ${message || code}`, { cause: error });
}

/** Host and port, without user and password. */
function placeIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'this machine' : 'the address that is set';
}

/** Whether `error` says that PostgreSQL did not answer a statement in time. */
export function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** What SQLite's thread says, and PostgreSQL in its own words, of what is asked in a transaction in which something has failed. */
export const nothingMoreIsDone = 'the transaction has failed; nothing more is done in it until it is rolled back';
const inFailedTransaction = '25P02';

/** Whether `error` says no more than that something before it in its transaction failed. */
export function isConsequence(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === inFailedTransaction || (error instanceof SqliteError && message === nothingMoreIsDone);
}

/** Whether `error` says that the database could not do its work for now. */
export function isUnavailable(error: unknown): boolean {
  // One of ours says what it is, and may hold words of whoever asked.
  if (error instanceof Problem) return false;
  if (error instanceof SqliteError) return error.code !== undefined && sqliteUnavailable.has(error.code & 0xff);
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (postgresUnavailable.test(code) || socketUnavailable.has(code))) return true;
  return (
    typeof message === 'string' &&
    /connection terminated|timeout exceeded when trying to connect|read timeout|database thread has ended|not queryable/i.test(
      message,
    )
  );
}

// After these nobody knows whether a commit that was under way went through: the connection broke, PostgreSQL ended it
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
 * The one place where a driver's error becomes one of ours: 503 when the database is out of reach or cannot
 * write, so that senders try again. It says so when a change may have been made all the same; what fails while
 * `reading` may be the look at a change that was made. Anything else is a bug and stays what it is.
 */
export function translateDriverError(error: unknown, doing: 'reading' | 'writing'): unknown {
  if (error instanceof Problem || !isUnavailable(error)) return error;
  const message =
    doing === 'reading' || isOutcomeUnknown(error)
      ? 'The database failed while this was under way. If it was a change, it may have been made or not: look before you repeat it. A signal with an Idempotency-Key can be sent again safely.'
      : 'The database cannot take this now. Nothing was changed; try again.';
  return new Problem('ServiceUnavailableError', message, { headers: { 'retry-after': '1' }, cause: error });
}

/** Resolves as `result` does; rejects with what {@link translateDriverError} makes of its failure. */
export async function translated<T>(result: Promise<T>, doing: 'reading' | 'writing' = 'writing'): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw translateDriverError(error, doing);
  }
}
