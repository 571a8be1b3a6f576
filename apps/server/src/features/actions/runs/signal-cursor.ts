import { prepared } from '../../../storage/prepared-query.ts';
import type { Db } from '../../../storage/tx.ts';

const selectCursor = prepared<{ endpointId: number }>().query((db, { endpointId }) =>
  db.selectFrom('action_cursors').select('signal_id').where('endpoint_id', '=', endpointId),
);

/** Returns the cursor of an endpoint: the last handled signal, or 0. */
export async function lastHandledSignal(db: Db, endpointId: number): Promise<number> {
  const [cursor] = await selectCursor(db, { endpointId });
  return cursor?.signal_id ?? 0;
}

/** Moves the cursor of an endpoint to this signal. */
export const markHandled = prepared<{ endpointId: number; signalId: number }>().change((db, { endpointId, signalId }) =>
  db
    .insertInto('action_cursors')
    .values({ endpoint_id: endpointId, signal_id: signalId })
    .onConflict((conflict) => conflict.column('endpoint_id').doUpdateSet({ signal_id: signalId })),
);

/** Returns the endpoints with enabled action sets. */
export async function endpointsWithEnabledSets(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('action_sets').select('endpoint_id').distinct().where('enabled', '=', 1).execute();
  return rows.map((row) => row.endpoint_id);
}

/** Returns the endpoints with enabled action sets and pending signals, in one statement. */
export async function endpointsWithPendingSignals(db: Db): Promise<number[]> {
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
