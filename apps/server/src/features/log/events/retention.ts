import { type EventClass, type EventType, typesOfEventClass } from '@yardarm/contract';
import type { IsOnHold } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { type Db, sql, type Tx } from '#storage/tx.ts';

const dayMs = 24 * 60 * 60 * 1000;
const restMs = 60 * 60 * 1000;
/** Events deleted in one step: few, so that no request waits long. */
const stepEvents = 1000;

/** The days to keep the events of each class; 0 keeps them for ever. */
export type EventRetention = Readonly<Record<EventClass, number>>;

/**
 * Creates the job that deletes events older than the retention of their class, in small steps: every hour, or at once
 * while there are more. Deletes nothing while `isOnLegalHold`. Ids are never reused, so readers see a gap in the ids.
 */
export function eventRetention(retention: EventRetention, isOnLegalHold: IsOnHold): JobKind {
  return {
    kind: 'event-retention',
    recurring: true,
    run: async (tx) => {
      if (await isOnLegalHold(tx.db)) return tx.now + restMs;
      const old = await oldestEvents(tx, retention);
      await deleteEvents(tx, old);
      return old.length === stepEvents ? tx.now : tx.now + restMs;
    },
  };
}

type OldEvent = Pick<EventRow, 'id' | 'created_at' | 'project' | 'feature_name' | 'environment'>;

/** Returns the events of one step. */
async function oldestEvents(tx: Tx, retention: EventRetention): Promise<OldEvent[]> {
  const old: OldEvent[] = [];
  for (const [eventClass, days] of Object.entries(retention) as [EventClass, number][]) {
    if (days === 0) continue;
    const bound = await firstIdSince(tx.db, tx.now - days * dayMs);
    for (const type of typesOfEventClass[eventClass]) {
      if (old.length === stepEvents) return old;
      old.push(...(await oldestOfType(tx.db, type, bound, eventClass === 'changes', stepEvents - old.length)));
    }
  }
  return old;
}

/** Returns the id from which events are kept. Times of events never decrease with their ids. */
async function firstIdSince(db: Db, time: number): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('created_at', '>=', time)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? Number.MAX_SAFE_INTEGER;
}

/**
 * Returns the oldest events of a type below an id. With `keepNewest`, not the newest event of an environment: the
 * revisions of SDK answers are computed from the newest events and must not go back.
 */
async function oldestOfType(db: Db, type: EventType, bound: number, keepNewest: boolean, limit: number) {
  let query = db
    .selectFrom('events')
    .select(['id', 'created_at', 'project', 'feature_name', 'environment'])
    .where('type', '=', type)
    .where('id', '<', bound)
    .orderBy('id')
    .limit(limit);
  if (keepNewest)
    query = query.where(
      sql<boolean>`exists (select 1 from events as newer where newer.type = events.type and newer.id > events.id
        and newer.environment is not distinct from events.environment)`,
    );
  return query.execute();
}

async function deleteEvents(tx: Tx, old: readonly OldEvent[]): Promise<void> {
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await tx.db.deleteFrom('events').where('id', 'in', ids).execute();
  // Changes lock this row before they add to the sums: taken in the same order, the locks cannot deadlock.
  await tx.db.updateTable('counters').set({ value: sql`value` }).where('name', '=', 'event').execute();
  await addDeleted(tx, old.length);
  for (const [scope, column] of [
    ['project', 'project'],
    ['feature', 'feature_name'],
  ] as const)
    for (const [name, count] of countBy(old, column)) await subtractTotal(tx, scope, name, count);
  for (const scope of ['project', 'environment'] as const)
    for (const [day, events] of Map.groupBy(old, ({ created_at }) => created_at - (created_at % dayMs)))
      for (const [name, count] of countBy(events, scope)) await subtractDay(tx, scope, name, day, count);
}

function countBy(events: readonly OldEvent[], column: 'project' | 'feature_name' | 'environment') {
  const counts = new Map<string, number>();
  for (const { [column]: name } of events) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The row of `event_totals` with the number of deleted events. */
export const deletedEvents = { scope: 'instance', name: 'deleted' } as const;

async function addDeleted(tx: Tx, total: number): Promise<void> {
  await tx.db
    .insertInto('event_totals')
    .values({ ...deletedEvents, total })
    .onConflict((conflict) =>
      conflict.columns(['scope', 'name']).doUpdateSet({ total: sql`event_totals.total + excluded.total` }),
    )
    .execute();
}

async function subtractTotal(tx: Tx, scope: 'project' | 'feature', name: string, count: number): Promise<void> {
  await tx.db
    .updateTable('event_totals')
    .set({ total: sql`total - ${count}` })
    .where('scope', '=', scope)
    .where('name', '=', name)
    .execute();
}

async function subtractDay(
  tx: Tx,
  scope: 'project' | 'environment',
  name: string,
  day: number,
  count: number,
): Promise<void> {
  await tx.db
    .updateTable('event_days')
    .set({ total: sql`total - ${count}` })
    .where('scope', '=', scope)
    .where('name', '=', name)
    .where('day', '=', day)
    .execute();
}
