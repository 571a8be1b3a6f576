import { isConsequence, isUnavailable } from '../driver-errors.ts';
import type { Outcome } from '../grouper.ts';
import type { Asked, Thing, Transaction } from './engine.ts';
import { AskedTooLate, type Watch } from './watch.ts';

/** A connection with no transaction open, lent for one group. */
export interface Session {
  /** The hand-hold of one piece of work in the transaction; given what it is about, of one that runs beside others. */
  open(about?: Thing): OpenWork;
  /** Statements without parameters or answers, sent together with the next statement that has one. */
  defer(...statements: readonly string[]): void;
  /** Sends what was deferred, and `statements` after it. */
  exec(...statements: readonly string[]): Promise<void>;
  /** Ends the transaction with nothing of it stored, and forgets what was deferred. */
  abandon(): Promise<void>;
}

/** What one piece of work does in the transaction. */
export interface OpenWork {
  readonly transaction: Transaction;
  /** Sees what it asks for. Once closed, asking for anything is an error: it would be done as a part of what follows. */
  readonly watch: Watch;
}

export interface Work<T> {
  readonly run: (trx: Transaction) => Promise<Asked<T>>;
  /** The one thing that it is about, if it is about one only. */
  readonly about?: Thing | undefined;
}

/**
 * Runs pieces of work and commits them together. Each is done as if it were alone: one after the other, behind a savepoint,
 * so that one that throws is undone alone. Rejects, with nothing stored, when the database fails.
 *
 * Every wait for an answer holds up all that wait for the group. So what a piece of work asks last goes to the database
 * together with what the next one asks first, and the last one's with the commit; and pieces of work about different things
 * run side by side, as long as each writes only what is its own. Where that does not go well (a late answer is a failure,
 * one of those beside each other throws after it has written, or writes something else), the transaction is given up and
 * done again one at a time, so that no other fails with it. Work may therefore run twice.
 */
export async function commitTogether<T>(
  session: Session,
  begin: readonly string[],
  works: readonly Work<T>[],
): Promise<Outcome<T>[]> {
  try {
    return await inOneTransaction(session, begin, works, 'fast');
  } catch (error) {
    if (!(error instanceof OneAtATime)) throw error;
    return inOneTransaction(session, begin, works, 'one at a time');
  }
}

/** Why the group must be done again, one piece of work at a time. */
class OneAtATime extends Error {}

type Pace = 'fast' | 'one at a time';

/** Boxed, so that waiting for the box is not waiting for the outcome. */
interface Pending<T> {
  readonly outcome: Promise<Outcome<T>>;
}

async function inOneTransaction<T>(
  session: Session,
  begin: readonly string[],
  works: readonly Work<T>[],
  pace: Pace,
): Promise<Outcome<T>[]> {
  session.defer(...begin);
  const late: Promise<unknown>[] = [];
  try {
    const pending: Pending<T>[] = [];
    for (const some of pace === 'fast' ? sideBySideWhereTheyMay(works) : works.map((one) => [one])) {
      const [first, ...others] = some as [Work<T>, ...Work<T>[]];
      if (others.length === 0) pending.push(await behindSavepoint(session, first, pace, late));
      else pending.push(...(await sideBySide(session, some, late)));
    }
    await commit(session, late);
    // What is not known to have gone well yet has not failed in the database, or nothing would have been committed: whose it
    // is is told, and the others are not made a second time.
    return await Promise.all(
      pending.map(({ outcome }) => outcome.catch((error): Outcome<T> => ({ ok: false, error }))),
    );
  } catch (error) {
    await rollBack(session);
    throw error;
  }
}

async function commit(session: Session, late: readonly Promise<unknown>[]): Promise<void> {
  try {
    await session.exec('commit');
  } catch (error) {
    // A commit that is refused because of what was asked before it does not say why.
    await allAnswered(late);
    throw error;
  }
}

/** The pieces of work in their order; those that follow each other and are about different things together. */
function sideBySideWhereTheyMay<T>(works: readonly Work<T>[]): Work<T>[][] {
  const together: Work<T>[][] = [];
  const taken = new Set<Thing>();
  for (const work of works) {
    const last = together.at(-1);
    if (last !== undefined && work.about !== undefined && taken.size > 0 && !taken.has(work.about)) {
      last.push(work);
    } else {
      together.push([work]);
      taken.clear();
    }
    if (work.about !== undefined) taken.add(work.about);
  }
  return together;
}

/** Runs one piece of work. Its outcome is still to come when what it asked last is: `late` then has its answer. */
async function behindSavepoint<T>(
  session: Session,
  { run }: Work<T>,
  pace: Pace,
  late: Promise<unknown>[],
): Promise<Pending<T>> {
  session.defer('savepoint change');
  const { transaction, watch } = session.open();
  try {
    const asked = await run(transaction);
    // Looked at below, or when the group ends; until then it is no failure that nobody handles.
    asked.answered.catch(() => undefined);
    if (pace === 'one at a time') await asked.answered;
    // It may hide from itself that something failed in it, and not from the transaction, which is no good any more.
    if (watch.failure !== undefined) throw watch.failure.error;
    watch.close();
    session.defer('release change');
    return stillToCome(asked, late);
  } catch (error) {
    watch.close();
    // Where one before failed there is nothing to go back to any more.
    await allAnswered(late);
    await undo(session, 'change', error);
    return failed(error);
  }
}

/** Runs pieces of work about different things. There is no undoing one of them alone: one that throws must have left nothing. */
async function sideBySide<T>(
  session: Session,
  works: readonly Work<T>[],
  late: Promise<unknown>[],
): Promise<Pending<T>[]> {
  // What fails inside fails this too; without it the commit would be told to have gone well.
  session.defer('savepoint beside');
  const opened = works.map(({ about, run }) => ({ ...session.open(about), run }));
  const done = await Promise.all(
    opened.map(async ({ run, transaction, watch }): Promise<Pending<T> & { readonly error?: unknown }> => {
      try {
        return stillToCome(await run(transaction), late);
      } catch (error) {
        return { ...failed(error), error };
      } finally {
        watch.close();
      }
    }),
  );
  const failures = done.flatMap(({ error }, index) => {
    const watch = opened[index]?.watch;
    if (error !== undefined) return watch?.left ? [error] : [];
    return watch?.failure === undefined ? [] : [watch.failure.error];
  });
  if (failures.length > 0) throw again(failures.find((error) => !isConsequence(error)) ?? failures[0]);
  for (const { watch } of opened) {
    if (watch.refused) throw new OneAtATime('asked for what is not for it alone');
  }
  session.defer('release beside');
  return done;
}

function stillToCome<T>({ answered }: Asked<T>, late: Promise<unknown>[]): Pending<T> {
  late.push(answered);
  const outcome = answered.then((value): Outcome<T> => ({ ok: true, value }));
  // Looked at when the group ends; until then it is no failure that nobody handles.
  outcome.catch(() => undefined);
  return { outcome };
}

function failed<T>(error: unknown): Pending<T> {
  return { outcome: Promise.resolve({ ok: false, error }) };
}

/** Rejects when one of them does. */
async function allAnswered(late: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of late) {
    try {
      await answer;
    } catch (error) {
      throw again(error);
    }
  }
}

/** What to reject with so that the group is done again, unless that would not help, or would hide a mistake. */
function again(error: unknown): unknown {
  if (isUnavailable(error) || error instanceof AskedTooLate) return error;
  return new OneAtATime('could not be done together with others', { cause: error });
}

/** `Transaction.part` on a session: undone alone when it throws. Rejects also when that cannot be done, because the engine has given up the whole transaction. */
export async function partOf<T>(
  session: Pick<Session, 'defer' | 'exec'>,
  watch: Watch,
  work: () => Promise<T>,
): Promise<T> {
  session.defer('savepoint part');
  const before = watch.failure;
  try {
    const value = await work();
    session.defer('release part');
    return value;
  } catch (error) {
    await undo(session, 'part', error);
    watch.failure = before;
    throw error;
  }
}

/** Undoes what stands behind the savepoint. Where the engine has given up the whole transaction, the group fails as one. */
async function undo(session: Pick<Session, 'exec'>, name: string, reason: unknown): Promise<void> {
  // Apart, for where something has failed what was deferred is refused, and what undoes it must be done all the same.
  const [before, undone] = await Promise.allSettled([
    session.exec(),
    session.exec(`rollback to ${name}`, `release ${name}`),
  ]);
  if (undone.status === 'fulfilled') return;
  // That there is no savepoint any more only follows from what the database said before.
  if (isUnavailable(reason)) throw reason;
  throw before.status === 'rejected' ? before.reason : undone.reason;
}

async function rollBack(session: Session): Promise<void> {
  try {
    await session.abandon();
  } catch {
    // A connection that is gone, or an engine that rolled back by itself: nothing is left to undo, and the
    // error that matters is the one being thrown.
  }
}
