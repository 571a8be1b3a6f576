import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BackupError, type Line } from './format.ts';
import type { DatabaseSnapshot } from './snapshot.ts';
import { tablesInOrder } from './table-order.ts';

/**
 * Writes a snapshot of a database to a new file that only its owner can read. Resolves with the number of rows when the
 * file is complete and on the disk; leaves no file when it rejects. Rejects with a `BackupError` when the file exists.
 */
export async function backUp(database: DatabaseSnapshot, file: string, now: number): Promise<number> {
  const partial = `${file}.partial`;
  const output = await open(partial, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new BackupError(`${partial} already exists. Is another backup running? If not, delete the file.`)
      : error;
  });
  try {
    // The umask may even remove the owner's permissions.
    await output.chmod(0o600);
    await refuseExisting(file);
    const stream = createWriteStream(partial, { fd: output.fd, autoClose: false });
    const rows = await writeTo(stream, database, now);
    await output.sync();
    await output.close();
    await rename(partial, file);
    return rows;
  } catch (error) {
    await output.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes a snapshot of a database to a stream. Resolves with the number of rows when the stream has all of it. */
export async function writeTo(output: Writable, database: DatabaseSnapshot, now: number): Promise<number> {
  const count = { rows: 0 };
  await pipeline(Readable.from(asText(linesOf(database, now, count))), createGzip(), output);
  return count.rows;
}

async function refuseExisting(file: string): Promise<void> {
  const existing = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (existing === undefined) return;
  await existing.close();
  throw new BackupError(`${file} already exists. Choose another file name.`);
}

async function* linesOf(
  database: DatabaseSnapshot,
  now: number,
  count: { rows: number },
): AsyncGenerator<readonly Line[]> {
  yield [
    { format: 'yardarm-backup', version: 1, at: new Date(now).toISOString(), migrations: await database.migrations() },
  ];
  for (const table of tablesInOrder) {
    const columns = await database.columns(table);
    yield [{ table, columns, lastId: await database.lastId(table) }];
    for await (const page of database.pages(table, columns)) {
      count.rows += page.length;
      yield page;
    }
  }
  yield [{ rows: count.rows }];
}

async function* asText(pages: AsyncIterable<readonly Line[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((line) => `${JSON.stringify(line)}\n`).join('');
}
