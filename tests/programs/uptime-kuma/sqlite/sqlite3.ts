import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** The effect of a statement: the value of `this` in the callback. */
interface Changes {
  readonly lastID: number;
  readonly changes: number;
}
interface Outcome {
  readonly changes?: Changes;
  readonly rows?: readonly unknown[];
}
type OnRows = (this: Changes | undefined, error: Error | null, rows?: readonly unknown[]) => void;
type OnDone = (error: Error | null) => void;

export const OPEN_READWRITE = 2;
export const OPEN_CREATE = 4;

/**
 * The part of the native module `@louislam/sqlite3` that Uptime Kuma calls, implemented with the SQLite of Node. The
 * native module needs a binary that no package registry has.
 */
export class Database {
  readonly #database: DatabaseSync;

  constructor(file: string, _flags: number, onDone: OnDone) {
    // As in the native module, foreign keys are off. Uptime Kuma writes texts in double quotes.
    const options = { enableForeignKeyConstraints: false, enableDoubleQuotedStringLiterals: true };
    this.#database = new DatabaseSync(file, options);
    setImmediate(onDone, null);
  }

  /** Runs a statement that returns no rows. */
  run(sql: string, values: readonly unknown[] | undefined, onDone: OnRows): void {
    this.#execute(sql, onDone, (statement) => {
      const { lastInsertRowid, changes } = statement.run(...bound(values));
      return { changes: { lastID: Number(lastInsertRowid), changes: Number(changes) } };
    });
  }

  /** Runs a statement and passes on its rows. */
  all(sql: string, values: readonly unknown[] | undefined, onRows: OnRows): void {
    this.#execute(sql, onRows, (statement) => ({ rows: statement.all(...bound(values)).map((row) => ({ ...row })) }));
  }

  close(onDone: OnDone): void {
    this.#database.close();
    setImmediate(onDone, null);
  }

  #execute(sql: string, onRows: OnRows, run: (statement: StatementSync) => Outcome): void {
    let outcome: Outcome;
    try {
      outcome = run(this.#database.prepare(sql));
    } catch (error) {
      setImmediate(() => onRows.call(undefined, error as Error));
      return;
    }
    const { changes, rows } = outcome;
    setImmediate(() => onRows.call(changes, null, rows));
  }
}

/** Returns values as Node's SQLite accepts them: the native module accepts booleans, dates and undefined as well. */
function bound(values: readonly unknown[] = []): SQLInputValue[] {
  return values.map((value) => {
    if (value === undefined) return null;
    if (typeof value === 'boolean') return Number(value);
    return value instanceof Date ? value.getTime() : (value as SQLInputValue);
  });
}
