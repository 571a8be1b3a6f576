import { chunksOf } from '#kernel/lists.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { OpenItem } from './open.ts';

/** The stored acknowledgement of a subject, and the time of its reminder. */
export type Acknowledgement = Row<'acknowledgements'>;

/** Lists the newest acknowledgements in force. */
export async function listAcknowledgements(db: Db, limit: number): Promise<Acknowledgement[]> {
  return db
    .selectFrom('acknowledgements')
    .selectAll()
    .where('acknowledged_at', 'is not', null)
    .orderBy('acknowledged_at', 'desc')
    .orderBy('subject')
    .limit(limit)
    .execute();
}

/** Returns what is stored of subjects, by subject. */
export async function findAcknowledgements(
  db: Db,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Acknowledgement>> {
  const found = new Map<string, Acknowledgement>();
  for (const part of chunksOf(subjects)) {
    const rows = await db.selectFrom('acknowledgements').selectAll().where('subject', 'in', part).execute();
    for (const row of rows) found.set(row.subject, row);
  }
  return found;
}

/** Stores that the person `by` acknowledges items; null withdraws their acknowledgements. */
export async function saveAcknowledged(tx: Tx, items: readonly OpenItem[], by: string | null): Promise<void> {
  const at = by === null ? null : tx.now;
  await save(tx, items, { acknowledged_by: by, acknowledged_at: at });
}

/** Stores that a reminder of items was sent. */
export async function saveReminded(tx: Tx, items: readonly OpenItem[]): Promise<void> {
  await save(tx, items, { reminded_at: tx.now });
}

type Change = Partial<Pick<Acknowledgement, 'acknowledged_by' | 'acknowledged_at' | 'reminded_at'>>;

async function save(tx: Tx, items: readonly OpenItem[], change: Change): Promise<void> {
  const none = { acknowledged_by: null, acknowledged_at: null, reminded_at: null, created_at: tx.now };
  for (const part of chunksOf(items))
    await tx.db
      .insertInto('acknowledgements')
      .values(part.map(({ subject, project, environment }) => ({ subject, project, environment, ...none, ...change })))
      .onConflict((conflict) => conflict.column('subject').doUpdateSet(change))
      .execute();
}
