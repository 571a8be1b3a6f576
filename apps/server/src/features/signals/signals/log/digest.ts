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
  const digests = await db
    .selectFrom('signal_digests')
    .select(['signal_id as signalId', 'endpoint_id as endpointId', 'token_id as tokenId', 'sha256', 'bytes'])
    .select(['created_at as createdAt', 'deleted_at as deletedAt'])
    .where('signal_id', 'in', signalIds)
    .execute();
  return new Map(digests.map((digest) => [digest.signalId, digest]));
}
