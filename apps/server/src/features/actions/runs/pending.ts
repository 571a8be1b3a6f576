import { prepared } from '../../../storage/prepared-query.ts';
import type { Db } from '../../../storage/tx.ts';

/** A signal that waits to be handled. */
export interface PendingSignal {
  readonly id: number;
  readonly tokenId: number;
  readonly createdAt: number;
  readonly payload: string;
}

/** The last signal of an endpoint that has been handled; 0 when none has. */
export async function handledSignal(db: Db, endpointId: number): Promise<number> {
  const cursor = await db
    .selectFrom('action_cursors')
    .select('signal_id')
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
  return cursor?.signal_id ?? 0;
}

/** The next signals of an endpoint after that one, in the order in which they came. */
export async function nextSignals(db: Db, endpointId: number, since: number, limit: number): Promise<PendingSignal[]> {
  const rows = await db
    .selectFrom('signals')
    .select(['id', 'token_id', 'created_at', 'payload'])
    .where('endpoint_id', '=', endpointId)
    .where('id', '>', since)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, tokenId: row.token_id, createdAt: row.created_at, payload: row.payload }));
}

/** Says that all signals of an endpoint up to this one have been handled. */
export const markHandled = prepared<{ endpointId: number; signalId: number }>().change((db, { endpointId, signalId }) =>
  db
    .insertInto('action_cursors')
    .values({ endpoint_id: endpointId, signal_id: signalId })
    .onConflict((conflict) => conflict.column('endpoint_id').doUpdateSet({ signal_id: signalId })),
);

/** Endpoints whose signals may set something off. */
export async function watchedEndpoints(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('action_sets').select('endpoint_id').distinct().where('enabled', '=', 1).execute();
  return rows.map((row) => row.endpoint_id);
}

/** Those of them that have signals waiting. One statement. */
export async function endpointsWithPending(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('action_sets as a')
    .leftJoin('action_cursors as c', 'c.endpoint_id', 'a.endpoint_id')
    .select('a.endpoint_id')
    .distinct()
    .where('a.enabled', '=', 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('signals as s')
          .select('s.id')
          .whereRef('s.endpoint_id', '=', 'a.endpoint_id')
          .whereRef('s.id', '>', 'a.since_signal_id')
          .where((inner) => inner('s.id', '>', inner.fn.coalesce('c.signal_id', inner.lit(0)))),
      ),
    )
    .execute();
  return rows.map((row) => row.endpoint_id);
}
