import { isUnavailable } from '../driver-errors.ts';
import type { Outcome } from '../grouper.ts';
import type { Transaction } from './engine.ts';

/** A connection with no transaction open, lent for one group. */
export interface Session {
  readonly transaction: Transaction;
  /** Statements without parameters or answers, sent together with the next statement that has one. */
  defer(...statements: readonly string[]): void;
  /** Sends what was deferred, and `statements` after it. */
  exec(...statements: readonly string[]): Promise<void>;
}

export type Work<T> = (trx: Transaction) => Promise<T>;

/**
 * Runs pieces of work one after the other and commits them together. Each stands behind a savepoint, so that
 * one that throws is undone alone. Rejects, with nothing stored, when the database fails.
 */
export async function commitTogether<T>(
  session: Session,
  begin: readonly string[],
  works: readonly Work<T>[],
): Promise<Outcome<T>[]> {
  session.defer(...begin);
  try {
    const outcomes: Outcome<T>[] = [];
    for (const work of works) outcomes.push(await runBehindSavepoint(session, work));
    await session.exec('commit');
    return outcomes;
  } catch (error) {
    await rollBack(session);
    throw error;
  }
}

function runBehindSavepoint<T>(session: Session, work: Work<T>): Promise<Outcome<T>> {
  return attempt(session, 'change', () => work(session.transaction));
}

/** `Transaction.part` on a session. */
export async function partOf<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const outcome = await attempt(session, 'part', work);
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/**
 * Runs `work` behind a savepoint of that name, undoing what it did when it throws. Rejects when that cannot be done, because
 * the engine has given up the whole transaction.
 */
async function attempt<T>(session: Session, name: 'change' | 'part', work: () => Promise<T>): Promise<Outcome<T>> {
  session.defer(`savepoint ${name}`);
  try {
    const value = await work();
    session.defer(`release ${name}`);
    return { ok: true, value };
  } catch (error) {
    await undo(session, name, error);
    return { ok: false, error };
  }
}

/** Undoes what stands behind the savepoint. Where the engine has given up the whole transaction, the group fails as one. */
async function undo(session: Session, name: string, reason: unknown): Promise<void> {
  try {
    await session.exec(`rollback to ${name}`, `release ${name}`);
  } catch (error) {
    // That there is no savepoint any more only follows from what the database said before.
    throw isUnavailable(reason) ? reason : error;
  }
}

async function rollBack(session: Session): Promise<void> {
  try {
    await session.exec('rollback');
  } catch {
    // A connection that is gone, or an engine that rolled back by itself: nothing is left to undo, and the
    // error that matters is the one being thrown.
  }
}
