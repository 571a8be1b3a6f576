import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Filling } from '../engine/frozen.ts';
import { BackupError, type EndLine, type Line, notABackup, readHead, type TableLine, type Value } from './format.ts';
import { type TableName, tablesInOrder } from './tables.ts';

/** Rows that are inserted at a time. */
const atOnce = 500;

/**
 * Fills an empty database with what a backup holds; answers how many rows. All of it or, when this rejects, nothing. A
 * `BackupError` when the file is no whole backup, is of another version, or the database is in use already.
 */
export async function restore(database: Filling, file: string): Promise<number> {
  try {
    const rows = await fill(database, file);
    await database.commit();
    return rows;
  } catch (error) {
    await database.abandon();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BackupError(`There is no file ${file}.`);
    throw isDamage(error) ? notABackup(file, error) : error;
  }
}

async function fill(database: Filling, file: string): Promise<number> {
  const lines = linesOf(file);
  const head = readHead((await lines.next()).value, file);
  const migrations = await database.migrations();
  if (JSON.stringify(head.migrations) !== JSON.stringify(migrations))
    throw new BackupError(`${file} was made by another version of Yardarm. Restore it with that one, then upgrade.`);
  await requireUnused(database);
  // What a new database begins with is in the backup too, as it has become.
  for (const table of tablesInOrder.toReversed()) await database.clear(table);
  let table: TableLine | undefined;
  let waiting: (readonly Value[])[] = [];
  let rows = 0;
  const flush = async () => {
    if (table !== undefined && waiting.length > 0) await database.insert(table.table, table.columns, waiting);
    rows += waiting.length;
    waiting = [];
  };
  for await (const line of lines) {
    if (isRow(line)) {
      waiting.push(line);
      if (waiting.length >= atOnce) await flush();
      continue;
    }
    await flush();
    if (isEnd(line)) {
      if (line.rows !== rows) throw notABackup(file);
      return rows;
    }
    table = await requireTable(database, line, file);
  }
  throw notABackup(file);
}

/** The last tables of a database that is in use to be empty. */
const usedFirst: readonly TableName[] = ['events', 'users', 'signals'];

async function requireUnused(database: Filling): Promise<void> {
  for (const table of usedFirst) {
    if (!(await database.isEmpty(table)))
      throw new BackupError('The database is in use already. Restore into a new one.');
  }
}

async function requireTable(database: Filling, line: unknown, file: string): Promise<TableLine> {
  const { table, columns } = (line ?? {}) as Partial<TableLine>;
  const known = tablesInOrder.find((name) => name === table);
  if (known === undefined || !Array.isArray(columns)) throw notABackup(file);
  const actual = await database.columns(known);
  if (columns.length !== actual.length || columns.some((name) => !actual.includes(name))) throw notABackup(file);
  return { table: known, columns };
}

async function* linesOf(file: string): AsyncGenerator<Line> {
  const input = createReadStream(file);
  const unzipped = input.pipe(createGunzip());
  input.on('error', (error) => unzipped.destroy(error));
  const lines = createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY });
  // The lines end quietly where their input fails.
  let failure: Error | undefined;
  unzipped.on('error', (error) => {
    failure = error;
    lines.close();
  });
  try {
    for await (const line of lines) yield JSON.parse(line) as Line;
    if (failure !== undefined) throw failure;
  } finally {
    lines.close();
    input.destroy();
  }
}

function isRow(line: Line): line is readonly Value[] {
  return Array.isArray(line);
}

function isEnd(line: Line): line is EndLine {
  return typeof line === 'object' && line !== null && 'rows' in line;
}

/** What a file that is no gzip, is cut off, or holds no JSON makes of reading it. */
function isDamage(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof SyntaxError || code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR';
}
