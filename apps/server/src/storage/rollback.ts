import type { Tx } from './tx.ts';

/** Rolls back a part of a transaction and carries its result. */
class RolledBack<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('rolled back');
    this.result = result;
  }
}

/**
 * Runs `work` behind a savepoint. `work` may call `rollback` with its result to undo its changes and still return the
 * result.
 */
export async function withRollback<T>(
  tx: Tx,
  work: (part: Tx, rollback: (result: T) => never) => Promise<T>,
): Promise<T> {
  const rollback = (result: T): never => {
    throw new RolledBack(result);
  };
  try {
    return await tx.nested(tx.by, (part) => work(part, rollback));
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}
