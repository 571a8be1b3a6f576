/** What is asked of the thread that holds a SQLite connection. Statements run in order, as one piece. */
export interface SqliteRequest {
  readonly id: number;
  /** Statements that answer nothing, run before `main`: BEGIN, SAVEPOINT, COMMIT. */
  readonly before: readonly string[];
  readonly main?:
    | { readonly sql: string; readonly parameters: readonly SqliteValue[] }
    | { readonly sql: string; readonly rows: readonly (readonly SqliteValue[])[] }
    | SqliteAppend;
}

/** Move a counter, give each row its number and the time, insert: in the open transaction, or in one of its own. */
export interface SqliteAppend {
  readonly inside: boolean;
  readonly counter: string;
  readonly now: number;
  readonly sql: string;
  readonly rows: readonly (readonly SqliteValue[])[];
}

export type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteResponse =
  | (SqliteAnswer & { readonly id: number })
  | { readonly id: number; readonly error: SqliteFailure };

/** Names once and values in their order: to hand over a row that has its names costs twice as much. */
export interface SqliteAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqliteValue[])[];
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
  readonly lastId: number;
}

export interface SqliteFailure {
  readonly message: string;
  /** SQLite's extended result code, such as 2067 for a unique constraint. */
  readonly code: number | undefined;
}

export interface SqliteWorkerData {
  readonly path: string;
  readonly role: 'writer' | 'reader';
}
