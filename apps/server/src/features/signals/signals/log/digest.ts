import type { Db } from '#storage/tx.ts';

/** The digest of a signal that retention has deleted while events named the signal. Times in milliseconds. */
export interface SignalDigest {
  readonly signalId: number;
  readonly endpointId: number;
  readonly tokenId: number;
  readonly createdAt: number;
  /** SHA-256 of the JSON text that was sent, in hexadecimal, and its length in bytes. */
  readonly sha256: string;
  readonly bytes: number;
  readonly deletedAt: number;
}

/** Returns the digests of deleted signals by signal id. Signals that are stored have none. */
export async function findDigests(db: Db, signalIds: readonly number[]): Promise<Map<number, SignalDigest>> {
  if (signalIds.length === 0) return new Map();
  const rows = await db.selectFrom('signal_digests').selectAll().where('signal_id', 'in', signalIds).execute();
  return new Map(
    rows.map((row) => [
      row.signal_id,
      {
        signalId: row.signal_id,
        endpointId: row.endpoint_id,
        tokenId: row.token_id,
        createdAt: row.created_at,
        sha256: row.sha256,
        bytes: row.bytes,
        deletedAt: row.deleted_at,
      },
    ]),
  );
}
