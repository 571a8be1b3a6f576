import { signalValue } from '#features/signals/signals/index.ts';
import type { Db } from '#storage/tx.ts';

const usualPageSize = 50;
/** The maximum number of signals of an endpoint that are read. */
export const maxSignals = 5000;

/** A stored signal, as action sets read it. */
export interface StoredSignal {
  readonly id: number;
  readonly tokenId: number;
  /** Milliseconds UTC. */
  readonly createdAt: number;
  readonly payload: unknown;
  /** The length of its text. */
  readonly characters: number;
}

/** Yields the signals that an endpoint received since a time, newest first: `maxSignals` at most. */
export async function* newestSignals(
  db: Db,
  endpointId: number,
  since: number,
  { pageSize = usualPageSize } = {},
): AsyncGenerator<StoredSignal> {
  let before = Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < maxSignals; read += pageSize) {
    const page = await db
      .selectFrom('signals')
      .select(['id', 'token_id', 'created_at', 'payload', 'normalized'])
      .where('endpoint_id', '=', endpointId)
      .where('id', '<', before)
      .where('created_at', '>=', since)
      .orderBy('id', 'desc')
      .limit(pageSize)
      .execute();
    for (const { id, token_id: tokenId, created_at: createdAt, ...signal } of page) {
      before = id;
      const characters = signal.payload.length + (signal.normalized?.length ?? 0);
      yield { id, tokenId, createdAt, payload: signalValue(signal), characters };
    }
    if (page.length < pageSize) return;
  }
}
