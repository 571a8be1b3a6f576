import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Frozen } from '../engine/frozen.ts';
import { BackupError, type Line } from './format.ts';
import { tablesInOrder } from './tables.ts';

/**
 * Writes all that a database holds to a file, readable by its owner alone; answers how many rows. The file is complete
 * and on the disk when this resolves, and not there when it rejects. An existing file is not touched: a `BackupError`.
 */
export async function backUp(database: Frozen, file: string, now: number): Promise<number> {
  const partial = `${file}.partial`;
  const output = await open(partial, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new BackupError(`${partial} is there already. Is another backup being made?`)
      : error;
  });
  try {
    // The umask may have taken even the owner's rights.
    await output.chmod(0o600);
    await refuseExisting(file);
    const count = { rows: 0 };
    await pipeline(
      Readable.from(asText(linesOf(database, now, count))),
      createGzip(),
      createWriteStream(partial, { fd: output.fd, autoClose: false }),
    );
    await output.sync();
    await output.close();
    await rename(partial, file);
    return count.rows;
  } catch (error) {
    await output.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

async function refuseExisting(file: string): Promise<void> {
  const there = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (there === undefined) return;
  await there.close();
  throw new BackupError(`${file} is there already.`);
}

async function* linesOf(database: Frozen, now: number, count: { rows: number }): AsyncGenerator<readonly Line[]> {
  yield [
    { format: 'yardarm-backup', version: 1, at: new Date(now).toISOString(), migrations: await database.migrations() },
  ];
  for (const table of tablesInOrder) {
    const columns = await database.columns(table);
    yield [{ table, columns }];
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
