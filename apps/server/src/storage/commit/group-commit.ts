import { isConsequence, isUnavailable } from '../driver-errors.ts';
import type { TransactionWork } from '../engine.ts';
import type { Outcome } from './batcher.ts';
import { OpenTransaction, type WriteConnection } from './open-transaction.ts';

/**
 * Runs changes one after the other in one transaction, each behind a savepoint, and commits them together. A change
 * that throws is rolled back alone. Rejects, with nothing stored, when the database fails.
 */
export async function commitGroup<T>(
  connection: WriteConnection,
  begin: readonly string[],
  changes: readonly TransactionWork<T>[],
): Promise<Outcome<T>[]> {
  connection.defer(...begin);
  try {
    const outcomes: Outcome<T>[] = [];
    for (const change of changes) outcomes.push(await behindSavepoint(connection, change));
    await connection.exec('commit');
    return outcomes;
  } catch (error) {
    // The rollback fails on a lost connection, or when the engine has rolled back by itself: nothing is left to roll
    // back.
    await connection.rollback().catch(() => undefined);
    throw error;
  }
}

/**
 * Runs `work` behind a savepoint. Rolls back to the savepoint when `work` throws, or when a statement of `work` failed
 * and `work` caught the error: after a failed statement, a transaction accepts no further ones. Rejects when it cannot
 * roll back to the savepoint.
 */
async function behindSavepoint<T>(
  connection: WriteConnection,
  work: TransactionWork<T>,
  depth = 0,
): Promise<Outcome<T>> {
  const savepoint = `change_${depth}`;
  connection.defer(`savepoint ${savepoint}`);
  const transaction = new OpenTransaction(connection, async (nested) => {
    const outcome = await behindSavepoint(connection, nested, depth + 1);
    if (!outcome.ok) throw outcome.error;
    return outcome.value;
  });
  try {
    const value = await work(transaction);
    await transaction.settled();
    if (transaction.failure !== undefined) throw transaction.failure.error;
    transaction.end();
    connection.defer(`release ${savepoint}`);
    return { ok: true, value };
  } catch (thrown) {
    // Ended before the rollback: a statement that the work is about to send would run behind it and be committed.
    transaction.end();
    const error = isConsequence(thrown) ? (transaction.failure?.error ?? thrown) : thrown;
    await rollBackTo(connection, savepoint, error);
    return { ok: false, error };
  }
}

async function rollBackTo(connection: WriteConnection, savepoint: string, reason: unknown): Promise<void> {
  try {
    await connection.exec(`rollback to ${savepoint}`, `release ${savepoint}`);
  } catch (error) {
    // The savepoint is gone because of the failure that is being handled: report that failure.
    throw isUnavailable(reason) || isConsequence(reason) ? reason : error;
  }
}
