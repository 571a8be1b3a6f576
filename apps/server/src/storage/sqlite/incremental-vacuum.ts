import type { SqliteConnection } from './connection.ts';

/** Free pages that the file keeps for new rows: 4 MB. */
const keptPages = 1024;
/** The value of `pragma auto_vacuum` for incremental vacuum. */
const incremental = 2;

/**
 * Returns up to `pages` free pages of the file to the disk, in a separate transaction. Resolves with the number of free
 * pages left to return; 0 for an old file without incremental vacuum, for which only `compactSqlite` can turn it on.
 */
export async function reclaimPages(writer: SqliteConnection, pages: number): Promise<number> {
  const number = async (name: string): Promise<number> => {
    const [row] = (await writer.run(`pragma ${name}`, [])).rows as Record<string, number>[];
    return row?.[name] as number;
  };
  if ((await number('auto_vacuum')) !== incremental) return 0;
  const spare = (await number('freelist_count')) - keptPages;
  if (spare <= 0) return 0;
  const step = Math.min(pages, spare);
  try {
    await writer.exec(['begin immediate']);
    await writer.run(`pragma incremental_vacuum(${step})`, []);
    await writer.exec(['commit']);
    // The file shrinks only at a checkpoint, which copies the write-ahead log into the file.
    if (step === spare) await writer.run('pragma wal_checkpoint(passive)', []);
  } catch (error) {
    // The rollback fails when `begin` has failed; report the first error.
    await writer.exec(['rollback']).catch(() => undefined);
    throw error;
  }
  return spare - step;
}
