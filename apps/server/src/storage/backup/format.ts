/** The value of a table cell. */
export type Value = string | number | null;

/**
 * The error of a backup or restore that the file or the database does not allow, such as a restore into a database in
 * use.
 */
export class BackupError extends Error {}

/**
 * The first line of a backup. A backup is a gzip file of JSON lines: a head, for each table a line with its name and
 * columns followed by its rows, and an end line, which a truncated file lacks. Both engines have the same format.
 */
export interface Head {
  readonly format: 'yardarm-backup';
  readonly version: 1;
  /** The time of the backup: ISO 8601, UTC. */
  readonly at: string;
  /** Names of the migrations that the database had run. */
  readonly migrations: readonly string[];
}

export interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
  /** The last id that was generated for a row, which may be deleted since. Absent when there is none. */
  readonly lastId?: number | undefined;
}

export interface EndLine {
  readonly rows: number;
}

/** A line of a backup; a row is an array. */
export type Line = Head | TableLine | EndLine | readonly Value[];

/** Parses the first line. Throws a {@link BackupError} when it is not the head of a backup of a known version. */
export function readHead(line: unknown, file: string): Head {
  const head = line as Partial<Head> | null | undefined;
  if (typeof head !== 'object' || head?.format !== 'yardarm-backup') throw notABackup(file);
  if (head.version !== 1) throw newerBackup(file);
  return head as Head;
}

export function newerBackup(file: string): BackupError {
  return new BackupError(`${file} was made by a newer version of Yardarm. Restore it with that version.`);
}

export function notABackup(file: string, cause?: unknown): BackupError {
  return new BackupError(`${file} is not a backup of Yardarm, or is damaged.`, { cause });
}
