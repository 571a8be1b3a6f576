import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { migrations as knownMigrations } from '../migrations/migrations.ts';
import {
  BackupError,
  type EndLine,
  type Head,
  type Line,
  newerBackup,
  notABackup,
  readHead,
  type TableLine,
  type Value,
} from './format.ts';
import { pageSize, type RestoreTarget, sizeOf } from './snapshot.ts';
import { type TableName, tablesInOrder } from './table-order.ts';

const rowsPerInsert = 500;

/** A backup whose head has been read. {@link restore} reads the rest; `close` ends the reading without it. */
export interface OpenBackup {
  /** The name for errors. */
  readonly name: string;
  readonly head: Head;
  /** The last migration that the database of the backup had run. */
  readonly lastMigration: string;
  readonly lines: AsyncGenerator<Line>;
  close(): Promise<void>;
}

/**
 * Reads the head of a backup from a file, or from a stream with a name for errors. Rejects with a `BackupError` when it
 * is not a backup, or of a newer version.
 */
export async function openBackup(name: string, input: Readable = createReadStream(name)): Promise<OpenBackup> {
  const lines = linesOf(input);
  const close = async () => void (await lines.return(undefined));
  try {
    const head = readHead((await lines.next()).value, name);
    const lastMigration = head.migrations.at(-1);
    if (lastMigration === undefined || !(lastMigration in knownMigrations)) throw newerBackup(name);
    return { name, head, lastMigration, lines, close };
  } catch (error) {
    await close();
    throw asBackupError(error, name);
  }
}

/**
 * Fills an empty database from a backup, in one transaction. Resolves with the number of rows. Rejects with a
 * `BackupError` when the backup is not complete, the database has run other migrations, or it is not empty.
 */
export async function restore(database: RestoreTarget, backup: OpenBackup): Promise<number> {
  try {
    const rows = await fill(database, backup);
    await database.commit();
    return rows;
  } catch (error) {
    await database.abandon();
    throw asBackupError(error, backup.name);
  }
}

async function fill(database: RestoreTarget, { name: file, head, lines }: OpenBackup): Promise<number> {
  const migrations = await database.migrations();
  if (JSON.stringify(head.migrations) !== JSON.stringify(migrations))
    throw new BackupError(
      `${file} was made by another version of Yardarm than the database. Restore into a new database.`,
    );
  await requireUnused(database);
  // Delete the initial rows of the new database: the backup holds them in their later state.
  for (const table of tablesInOrder.toReversed()) {
    // A table of a later migration is missing: the database has the migrations of the backup.
    if ((await database.columns(table)).length > 0) await database.clear(table);
  }
  let table: TableLine | undefined;
  let buffer: (readonly Value[])[] = [];
  let size = 0;
  let rows = 0;
  const flush = async () => {
    if (table !== undefined && buffer.length > 0) await database.insert(table.table, table.columns, buffer);
    rows += buffer.length;
    [buffer, size] = [[], 0];
  };
  let isComplete = false;
  for await (const line of lines) {
    if (isComplete)
      throw new BackupError(`${file} goes on after the end of its backup: it was written twice. Use another backup.`);
    if (isRow(line)) {
      buffer.push(line);
      size += sizeOf(line);
      if (buffer.length >= rowsPerInsert || size >= pageSize) await flush();
      continue;
    }
    await flush();
    if (isEnd(line)) {
      if (line.rows !== rows) throw notABackup(file);
      isComplete = true;
      continue;
    }
    table = await requireTable(database, line, file);
    if (table.lastId !== undefined) await database.continueAfter(table.table, table.lastId);
  }
  if (!isComplete) throw notABackup(file);
  return rows;
}

/** Tables that are empty in a new database; in a database that has been used, at least one of them has rows. */
const tablesWithUse: readonly TableName[] = ['events', 'users', 'signals'];

async function requireUnused(database: RestoreTarget): Promise<void> {
  for (const table of tablesWithUse) {
    if (!(await database.isEmpty(table)))
      throw new BackupError('The database is not empty. Restore into a new database.');
  }
}

async function requireTable(database: RestoreTarget, line: unknown, file: string): Promise<TableLine> {
  const { table, columns, lastId } = (line ?? {}) as Partial<TableLine>;
  const known = tablesInOrder.find((name) => name === table);
  if (known === undefined || !Array.isArray(columns)) throw notABackup(file);
  if (lastId !== undefined && !Number.isSafeInteger(lastId)) throw notABackup(file);
  const actual = await database.columns(known);
  if (columns.length !== actual.length || columns.some((name) => !actual.includes(name))) throw notABackup(file);
  return { table: known, columns, lastId };
}

/** Parses the lines of a file. Not with readline, which also ends a line at U+2028 and U+2029, as JSON does not. */
async function* linesOf(input: Readable): AsyncGenerator<Line> {
  const unzipped = input.pipe(createGunzip()).setEncoding('utf8');
  input.on('error', (error) => unzipped.destroy(error));
  // The parts of the line that is not complete: joined once, because a line may have many megabytes.
  let parts: string[] = [];
  try {
    for await (const chunk of unzipped) {
      const [end, ...next] = (chunk as string).split('\n') as [string, ...string[]];
      parts.push(end);
      for (const begin of next) {
        yield JSON.parse(parts.join('')) as Line;
        parts = [begin];
      }
    }
    const last = parts.join('');
    if (last !== '') yield JSON.parse(last) as Line;
  } finally {
    input.destroy();
  }
}

function isRow(line: Line): line is readonly Value[] {
  return Array.isArray(line);
}

function isEnd(line: Line): line is EndLine {
  return typeof line === 'object' && line !== null && 'rows' in line;
}

/** Returns whether `error` comes from reading a file that is not gzip, is truncated or holds invalid JSON. */
function isDamage(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof SyntaxError || code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR';
}

function asBackupError(error: unknown, file: string): unknown {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new BackupError(`The file ${file} does not exist.`);
  return isDamage(error) ? notABackup(file, error) : error;
}
