import { chunksOf } from '#kernel/lists.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';

export type MovedRow = Row<'moved_contexts'>;

/** Stores how many contexts events moved. Of the counts of several processes, the one with the most contexts stays. */
export async function insertMoved(tx: Tx, rows: readonly MovedRow[]): Promise<void> {
  for (const part of chunksOf(rows))
    await tx.db
      .insertInto('moved_contexts')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('event_id')
          .doUpdateSet((eb) => ({ contexts: eb.ref('excluded.contexts'), moved: eb.ref('excluded.moved') }))
          .whereRef('excluded.contexts', '>', 'moved_contexts.contexts'),
      )
      .execute();
}

/** Returns how many contexts the events of incidents moved, by event. */
export async function movedByIncidents(db: Db, ids: readonly number[]): Promise<Map<number, MovedRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('moved_contexts as c')
    .innerJoin('incident_events as m', 'm.event_id', 'c.event_id')
    .selectAll('c')
    .where('m.incident_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.event_id, row]));
}
