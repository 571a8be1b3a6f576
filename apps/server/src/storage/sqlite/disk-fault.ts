import { DatabaseUnusable, SqliteError } from '../driver-errors.ts';

type Fault = 'full' | 'read-only' | 'no rights' | 'broken';

const faultOfCode: Readonly<Record<string, Fault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'no rights',
  EPERM: 'no rights',
  EIO: 'broken',
};
/** By the primary result codes of SQLite: READONLY, IOERR, FULL and CANTOPEN. */
const faultOfResult: Readonly<Record<number, Fault>> = { 8: 'read-only', 10: 'broken', 13: 'full', 14: 'no rights' };

const other = 'or set YARDARM_DATA_DIR to another directory';
const advice: Readonly<Record<Fault, string>> = {
  full: `its disk is full. Free some space, ${other}.`,
  'read-only': `it is read-only. Mount it writable and check its owner, ${other}.`,
  'no rights': `this user has no right to write there. Change its owner, ${other}.`,
  broken: `its disk reports an error. Look at the log of the operating system, ${other}.`,
};

/**
 * Returns a {@link DatabaseUnusable} in plain words for an error which says that the data directory cannot be written;
 * other errors unchanged.
 */
export function asDiskFault(error: unknown, directory: string): unknown {
  if (error instanceof DatabaseUnusable) return error;
  const fault = faultOf(error);
  if (fault === undefined) return error;
  return new DatabaseUnusable(`The data directory ${directory} cannot be written: ${advice[fault]}`, { cause: error });
}

/** Returns the fault that an error, or a cause of it, names. */
function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // Errors of node:sqlite have the result code in `errcode`.
  const result = error instanceof SqliteError ? error.code : errcode;
  const fault = typeof result === 'number' ? faultOfResult[result & 0xff] : faultOfCode[String(code)];
  return fault ?? faultOf(error.cause);
}
