import { prepared } from '#storage/prepared-query.ts';
import type { Db } from '#storage/tx.ts';

const selectCursor = prepared<{ endpointId: number }>().query((db, { endpointId }) =>
  db.selectFrom('action_cursors').select(['signal_id', 'begun_signal_id']).where('endpoint_id', '=', endpointId),
);

/** How far the signals of an endpoint are handled. */
type Cursor = {
  /** The last handled signal, or 0. */
  readonly handledUpTo: number;
  /** The signal after it for which some of the runs have committed; null when there is none. */
  readonly begunSignalId: number | null;
};

/** Returns the cursor of an endpoint. */
export async function findCursor(db: Db, endpointId: number): Promise<Cursor> {
  const [cursor] = await selectCursor(db, { endpointId });
  return { handledUpTo: cursor?.signal_id ?? 0, begunSignalId: cursor?.begun_signal_id ?? null };
}

/** Moves the cursor of an endpoint. */
export const moveCursor = prepared<Cursor & { endpointId: number }>().change((db, cursor) =>
  db
    .insertInto('action_cursors')
    .values({ endpoint_id: cursor.endpointId, signal_id: cursor.handledUpTo, begun_signal_id: cursor.begunSignalId })
    .onConflict((conflict) =>
      conflict
        .column('endpoint_id')
        .doUpdateSet({ signal_id: cursor.handledUpTo, begun_signal_id: cursor.begunSignalId }),
    ),
);

/** Returns the elements for which each set has run on a signal. */
export async function elementsRun(db: Db, signalId: number): Promise<ReadonlyMap<number, ReadonlySet<number | null>>> {
  const rows = await db
    .selectFrom('action_runs')
    .select(['action_set_id', 'element'])
    .where('signal_id', '=', signalId)
    .where('cause', '=', 'signal')
    .execute();
  const bySet = Map.groupBy(rows, (row) => row.action_set_id);
  return new Map([...bySet].map(([id, runs]) => [id, new Set(runs.map(({ element }) => element))]));
}

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
