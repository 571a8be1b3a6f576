/** What a table cell is: all that our tables hold. */
export type Value = string | number | null;

/** Something about the file of a backup, or the database to restore into, that whoever asked should know. */
export class BackupError extends Error {}

/**
 * A backup is lines of JSON, compressed by gzip: a head, for each table its name and columns followed by its rows, and
 * an end by which a file that was cut off is known. It tells nothing of the engine, so it restores into either.
 */
export interface Head {
  readonly format: 'yardarm-backup';
  readonly version: 1;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Names of the migrations that its tables have had. */
  readonly migrations: readonly string[];
}

export interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface EndLine {
  readonly rows: number;
}

/** A line of a backup; a row is an array. */
export type Line = Head | TableLine | EndLine | readonly Value[];

/** Reads the first line. Throws a {@link BackupError} when it is not the head of a backup that this program reads. */
export function readHead(line: unknown, file: string): Head {
  const head = line as Partial<Head> | null | undefined;
  if (typeof head !== 'object' || head?.format !== 'yardarm-backup') throw notABackup(file);
  if (head.version !== 1) throw new BackupError(`${file} was made by a newer version of Yardarm.`);
  return head as Head;
}

export function notABackup(file: string, cause?: unknown): BackupError {
  return new BackupError(`${file} is not a backup of Yardarm, or it is damaged.`, { cause });
}
