import { isUnavailable } from '../driver-errors.ts';
import type { Outcome } from '../grouper.ts';
import type { Asked, Transaction } from './engine.ts';

/** A connection with no transaction open, lent for one group. */
export interface Session {
  /** The hand-hold of one piece of work in the transaction. */
  open(): OpenWork;
  /** Statements without parameters or answers, sent together with the next statement that has one. */
  defer(...statements: readonly string[]): void;
  /** Sends what was deferred, and `statements` after it. */
  exec(...statements: readonly string[]): Promise<void>;
}

/** What one piece of work does in the transaction. */
export interface OpenWork {
  readonly transaction: Transaction;
  /** From now on asking for anything is an error: it would be done as a part of what follows. */
  close(): void;
}

export type Work<T> = (trx: Transaction) => Promise<Asked<T>>;

/**
 * Runs pieces of work one after the other and commits them together. Each stands behind a savepoint, so that
 * one that throws is undone alone. Rejects, with nothing stored, when the database fails.
 *
 * What a piece of work asks last goes to the database together with what the next one asks first, and the last one's with
 * the commit: each wait for an answer would hold up all that wait for the group. Where such a late answer is a failure, the
 * transaction is given up and done again with each waiting for the one before, so that the others do not fail with it. Work
 * may therefore run twice.
 */
export async function commitTogether<T>(
  session: Session,
  begin: readonly string[],
  works: readonly Work<T>[],
): Promise<Outcome<T>[]> {
  try {
    return await inOneTransaction(session, begin, works, 'overlapping');
  } catch (error) {
    if (!(error instanceof LateFailure)) throw error;
    return inOneTransaction(session, begin, works, 'in turn');
  }
}

/** What a piece of work asked last failed after the next one had begun. */
class LateFailure extends Error {}

async function inOneTransaction<T>(
  session: Session,
  begin: readonly string[],
  works: readonly Work<T>[],
  pace: 'overlapping' | 'in turn',
): Promise<Outcome<T>[]> {
  session.defer(...begin);
  const late: Promise<unknown>[] = [];
  try {
    const outcomes: Promise<Outcome<T>>[] = [];
    for (const work of works) {
      const { outcome } = await behindSavepoint(session, work, pace, late);
      // Looked at below; until then it is no failure that nobody handles.
      outcome.catch(() => undefined);
      outcomes.push(outcome);
    }
    const committed = session.exec('commit');
    committed.catch(() => undefined);
    await allAnswered(late);
    await committed;
    return await Promise.all(outcomes);
  } catch (error) {
    await rollBack(session);
    throw error;
  }
}

/** Runs one piece of work. Its outcome is still to come when what it asked last is: `late` then has its answer. */
async function behindSavepoint<T>(
  session: Session,
  work: Work<T>,
  pace: 'overlapping' | 'in turn',
  late: Promise<unknown>[],
): Promise<{ outcome: Promise<Outcome<T>> }> {
  session.defer('savepoint change');
  const { transaction, close } = session.open();
  try {
    const { answered } = await work(transaction);
    if (pace === 'in turn') await answered;
    close();
    session.defer('release change');
    late.push(answered);
    return { outcome: answered.then((value) => ({ ok: true, value })) };
  } catch (error) {
    close();
    // Where one before failed there is nothing to go back to any more.
    await allAnswered(late);
    await undo(session, 'change', error);
    return { outcome: Promise.resolve({ ok: false, error }) };
  }
}

/** Rejects with a {@link LateFailure} when one of them does, unless that is the database's own trouble. */
async function allAnswered(late: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of late) {
    try {
      await answer;
    } catch (error) {
      throw isUnavailable(error) || error instanceof AskedTooLate
        ? error
        : new LateFailure('asked last, and failed', { cause: error });
    }
  }
}

/** A mistake in the code of a change, which would never come to light if the change were done again. */
export class AskedTooLate extends Error {
  constructor() {
    super('a change must have asked for everything by the time it ends');
  }
}

/** `Transaction.part` on a session: undone alone when it throws. Rejects also when that cannot be done, because the engine has given up the whole transaction. */
export async function partOf<T>(session: Pick<Session, 'defer' | 'exec'>, work: () => Promise<T>): Promise<T> {
  session.defer('savepoint part');
  try {
    const value = await work();
    session.defer('release part');
    return value;
  } catch (error) {
    await undo(session, 'part', error);
    throw error;
  }
}

/** Undoes what stands behind the savepoint. Where the engine has given up the whole transaction, the group fails as one. */
async function undo(session: Pick<Session, 'exec'>, name: string, reason: unknown): Promise<void> {
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
