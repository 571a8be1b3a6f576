import type { SqliteConnection } from './sqlite-connection.ts';

/** Free pages that the file keeps, so that rows written soon need not make it grow again: 4 MB. */
const keptPages = 1024;
/** `pragma auto_vacuum` of a file that can give back pages one by one. */
const incremental = 2;

/**
 * Gives up to `pages` free pages of the file back to the disk, in a transaction of its own, and answers how many are left
 * to give. Answers 0 for a file of a version before incremental vacuum was turned on: only {@link compactSqlite} changes it.
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
    // The file itself becomes shorter when the log is written back into it.
    if (step === spare) await writer.run('pragma wal_checkpoint(passive)', []);
  } catch (error) {
    // Fails where no transaction was begun, and then there is nothing to undo: the first error says what is wrong.
    await writer.exec(['rollback']).catch(() => undefined);
    throw error;
  }
  return spare - step;
}
