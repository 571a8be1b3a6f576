import type { RefusalReason } from '@yardarm/contract';
import {
  type Count,
  EventCounter,
  type EventCounterOptions,
  recordEach,
} from '#features/people/security-events/index.ts';
import type { Database } from '#storage/database.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** A request that an endpoint refused. */
export interface RefusedRequest {
  readonly endpointId: number;
  /** Null for a request without a token of the endpoint. */
  readonly tokenId: number | null;
  readonly reason: RefusalReason;
  readonly address: string;
}

type Subject = Pick<RefusedRequest, 'endpointId' | 'tokenId'>;

export interface RefusedSignals extends Pick<EventCounter<Subject>, 'flush' | 'stop'> {
  count(refused: RefusedRequest): void;
}

/**
 * Counts the requests that endpoints refuse, and records one event per endpoint, token, reason and minute. Requests to
 * a disabled endpoint are left out: a person disabled it.
 */
export function countRefusedSignals(
  database: Pick<Database, 'write'>,
  options: Omit<EventCounterOptions<Subject>, 'record'>,
): RefusedSignals {
  const counter = new EventCounter<Subject>({ ...options, record: recordEach(database, record) });
  return {
    count: ({ endpointId, tokenId, reason, address }) => {
      if (reason === 'disabled') return;
      counter.add({
        key: `${endpointId} ${tokenId} ${reason}`,
        subject: { endpointId, tokenId },
        address,
        listed: { reasons: [reason] },
      });
    },
    flush: () => counter.flush(),
    stop: () => counter.stop(),
  };
}

async function record(tx: Tx, count: Omit<Count<Subject>, 'origin'>): Promise<void> {
  tx.record({ type: 'signals-refused', outcome: 'refused', data: await dataOf(tx.db, count) });
}

async function dataOf(db: Db, { subject, attempts, addresses, listed, from, to }: Omit<Count<Subject>, 'origin'>) {
  const { endpointId = null, tokenId = null } = subject ?? {};
  const nameIn = async (table: 'signal_endpoints' | 'signal_endpoint_tokens', id: number | null) => {
    if (id === null) return null;
    return (await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirst())?.name ?? null;
  };
  return {
    id: endpointId,
    name: await nameIn('signal_endpoints', endpointId),
    tokenId,
    tokenName: await nameIn('signal_endpoint_tokens', tokenId),
    reasons: listed['reasons'] ?? [],
    refused: attempts,
    ...{ addresses, from, to },
  };
}
