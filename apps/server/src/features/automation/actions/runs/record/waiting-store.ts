import type { NormalizedSignal } from '@yardarm/contract';
import { prepared } from '#storage/prepared-query.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { fromRow, type Run } from './store.ts';

/** Sets the earliest time at which a waiting run continues, in milliseconds UTC. */
export async function waitOn(tx: Tx, id: number, until: number): Promise<void> {
  await tx.db.updateTable('action_runs').set({ waits_until: until }).where('id', '=', id).execute();
}

/** The beginnings of the reasons of runs that waited and were skipped because of a later signal about their alert. */
export const endedText = 'The alert ended while this run waited';
export const repeatedText = 'The alert was reported again while this run waited';

const waitsNoMore = { waits_until: null, waits_for: null, decide_by: null } as const;

/**
 * Skips the runs of sets that wait to hold flags, because a later signal about their alert came. `ends` has the
 * condition of each alert, and the time that orders the end among the reports about the alert: runs for a later
 * occurrence go on waiting; null for a report without such a time, and for one that the alert fires. With
 * `undecidedOnly`, only runs that wait for a person are skipped. The copy of the set in skipped runs stays as it was
 * when they began to wait.
 */
export async function skipWaitingHolds(
  tx: Tx,
  { setIds, ends }: { readonly setIds: readonly number[]; readonly ends: ReadonlyMap<string, number | null> },
  { reason, undecidedOnly = false }: { readonly reason: string; readonly undecidedOnly?: boolean },
): Promise<void> {
  const rows = undecidedOnly
    ? await undecidedOf(tx.db, { setIds })
    : await waitingUnder(tx.db, { setIds, conditions: [...ends.keys()] });
  const over = rows.flatMap(({ waits_for: condition, ...run }) => {
    const endedAt = condition === null ? undefined : ends.get(condition);
    return endedAt === undefined ? [] : { ...run, endedAt };
  });
  const later = await ofLaterOccurrences(tx.db, over);
  const ids = over.map(({ id }) => id).filter((id) => !later.has(id));
  await skipWaiting(tx, ids, reason);
}

const waitingUnder = prepared<{ setIds: readonly number[]; conditions: readonly string[] }>().query(
  (db, { setIds, conditions }) =>
    db
      .selectFrom('action_runs')
      .select(['id', 'signal_id', 'element', 'waits_for'])
      .where('action_set_id', 'in', setIds)
      .where('waits_for', 'in', conditions),
);

const undecidedOf = prepared<{ setIds: readonly number[] }>().query((db, { setIds }) =>
  db
    .selectFrom('action_runs')
    .select(['id', 'signal_id', 'element', 'waits_for'])
    .where('action_set_id', 'in', setIds)
    .where('waits_for', 'is not', null)
    .where('decide_by', 'is not', null),
);

interface EndedRun {
  readonly id: number;
  readonly signal_id: number;
  readonly element: number | null;
  readonly endedAt: number | null;
}

/** Returns the runs whose alert occurred after the time of the end. */
async function ofLaterOccurrences(db: Db, runs: readonly EndedRun[]): Promise<ReadonlySet<number>> {
  const compared = runs.filter(({ endedAt }) => endedAt !== null);
  if (compared.length === 0) return new Set();
  const signalIds = [...new Set(compared.map(({ signal_id: id }) => id))];
  const signals = await db.selectFrom('signals').select(['id', 'normalized']).where('id', 'in', signalIds).execute();
  const known = new Map(signals.map(({ id, normalized }) => [id, normalized]));
  const later = compared.filter(({ signal_id: signalId, element, endedAt }) => {
    const text = known.get(signalId);
    const normalized = text == null ? undefined : (JSON.parse(text) as NormalizedSignal);
    const at = (element === null ? normalized : normalized?.elements[element])?.occurredAt;
    return at != null && Date.parse(at) > (endedAt ?? 0);
  });
  return new Set(later.map(({ id }) => id));
}

/** Returns the conditions under which runs of a set wait to hold flags. */
export async function waitingConditions(db: Db, setId: number): Promise<ReadonlySet<string | null | undefined>> {
  const rows = await db
    .selectFrom('action_runs')
    .select('waits_for')
    .distinct()
    .where('action_set_id', '=', setId)
    .where('waits_for', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.waits_for));
}

/** Skips runs that wait. The copy of the set stays as it was when they began to wait. */
export async function skipWaiting(tx: Tx, ids: readonly number[], reason: string): Promise<void> {
  if (ids.length === 0) return;
  const skipped = { state: 'skipped', reason, ...waitsNoMore };
  await tx.db.updateTable('action_runs').set(skipped).where('id', 'in', ids).execute();
}

/** Returns the number of runs of a set that wait for a person. */
export async function countUndecided(db: Db, setId: number): Promise<number> {
  const row = await db
    .selectFrom('action_runs')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('action_set_id', '=', setId)
    .where('waits_for', 'is not', null)
    .where('decide_by', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Returns the times until which runs wait for a person, with their ids, the earliest first. */
export function undecidedRuns(db: Db, limit: number): Promise<{ readonly id: number; readonly decide_by: number }[]> {
  return db
    .selectFrom('action_runs')
    .select(['id', (eb) => eb.ref('decide_by').$notNull().as('decide_by')])
    .where('decide_by', 'is not', null)
    .orderBy('decide_by')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Lets a person decide about runs that wait to be tried again and would hold flags: all of them, or the run `id`. */
export async function leaveToPerson(
  tx: Tx,
  { id, reason, decideBy }: { readonly id?: number; readonly reason: string; readonly decideBy: number },
): Promise<void> {
  let runs = tx.db
    .updateTable('action_runs')
    .set({ reason, waits_until: null, decide_by: decideBy })
    .where('waits_until', 'is not', null)
    .where('waits_for', 'is not', null);
  if (id !== undefined) runs = runs.where('id', '=', id);
  await runs.execute();
}

/** A run that waits, with the copy of its set. */
export type WaitingRun = Pick<Run, 'id' | 'actionSetId' | 'signalId' | 'element' | 'set'> & {
  /** The earliest time at which it continues, in milliseconds UTC. */
  readonly waitsUntil: number;
  /** The condition under which the run would hold flags; null for a run that releases. */
  readonly waitsFor: string | null;
};

/** Returns the runs that wait to be tried again, in the order of the times at which they continue. */
export async function waitingRuns(db: Db, limit: number): Promise<WaitingRun[]> {
  const rows = await db
    .selectFrom('action_runs')
    .selectAll()
    .where('waits_until', 'is not', null)
    .orderBy('waits_until')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...fromRow(db, row), waitsUntil: row.waits_until ?? 0, waitsFor: row.waits_for }));
}
