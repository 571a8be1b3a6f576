/** A request to the thread of a SQLite connection. Its statements run in order, without other requests in between. */
export interface SqliteRequest {
  readonly id: number;
  /** Statements without parameters and results that run before `main`, such as BEGIN, SAVEPOINT and COMMIT. */
  readonly before: readonly string[];
  readonly main?:
    | { readonly sql: string; readonly parameters: readonly SqliteValue[] }
    | { readonly sql: string; readonly rows: readonly (readonly SqliteValue[])[] }
    | SqliteAppend;
}

/** Increments a counter and inserts rows with their numbers and the time: in the open transaction, or in a new one. */
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

/** The result of a statement. Rows are arrays, because transferring objects to another thread costs twice as much. */
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
