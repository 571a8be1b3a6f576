import { firstOf } from '#kernel/lists.ts';
import { containsText } from '#storage/event-text-search.ts';
import { prepared } from '#storage/prepared-query.ts';
import { type Condition, type Db, sql } from '#storage/tx.ts';
import type { Signal } from './signal.ts';

/** A stored signal with the names of its token and endpoint, which are null once deleted. */
export interface ReceivedSignal {
  readonly id: number;
  readonly endpointId: number;
  readonly createdAt: number;
  readonly payload: string;
  readonly normalized: string | null;
  readonly tokenId: number;
  readonly tokenName: string | null;
  readonly endpointName: string | null;
  readonly endpointDescription: string | null;
}

export interface SignalFilter {
  readonly endpointId?: number | undefined;
  /** Only signals with these ids; must not be empty. */
  readonly ids?: readonly number[] | undefined;
  /** Received at or after this time, in milliseconds UTC. */
  readonly from?: number | undefined;
  /** Received before this time, in milliseconds UTC. */
  readonly before?: number | undefined;
  /** Words that must all occur in the payload or in the name of the token, each as {@link containsText} finds it. */
  readonly words?: string | undefined;
}

/** Signals beyond this many are not counted: a count would cost more than the answer. */
const countedUpTo = 10_000;
/** Word searches read this many of the newest signals, because no index serves them. */
const searchedUpTo = 10_000;
/** The approximate size of a page in bytes. */
const pageWeight = 256 * 1024;

/** Yields signals newest first, in pages of about 256 kB, so that large payloads do not fill the memory. */
export async function* pagesOfSignals(
  db: Db,
  filter: SignalFilter,
  offset: number,
  limit: number,
): AsyncGenerator<ReceivedSignal[]> {
  for (const ids of groupByWeight(await newestSignals(db, filter, offset, limit))) yield await signalsById(db, ids);
}

/** Returns a stored signal, or undefined when retention has deleted it. */
export async function findSignal(db: Db, id: number): Promise<Signal | undefined> {
  return db
    .selectFrom('signals')
    .select(['id', 'endpoint_id as endpointId', 'token_id as tokenId', 'created_at as createdAt'])
    .select(['payload', 'normalized'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A signal after the cursor of a reader. */
export type PendingSignal = Omit<Signal, 'endpointId'>;

const selectPending = prepared<{ endpointId: number; since: number; limit: number }>().query(
  (db, { endpointId, since, limit }) =>
    db
      .selectFrom('signals')
      .select(['id', 'token_id', 'created_at', 'payload', 'normalized'])
      .where('endpoint_id', '=', endpointId)
      .where('id', '>', since)
      .orderBy('id')
      .limit(limit),
);

/** Returns the next signals of an endpoint after the signal `since`, in order. */
export async function pendingSignals(
  db: Db,
  endpointId: number,
  since: number,
  limit: number,
): Promise<PendingSignal[]> {
  const rows = await selectPending(db, { endpointId, since, limit });
  return rows.map(({ id, token_id: tokenId, created_at: createdAt, payload, normalized }) => ({
    ...{ id, tokenId, createdAt, payload, normalized },
  }));
}

/** Returns the id of the newest signal of any endpoint. */
export async function newestSignalId(db: Db): Promise<number> {
  return firstOf(await selectNewest(db, {})).value;
}

const selectNewest = prepared<Record<never, never>>().query((db) =>
  db.selectFrom('counters').select('value').where('name', '=', 'signal'),
);

/** Counts signals exactly up to 10,000, and answers "at least 10,000" (`gte`) beyond. */
export async function countSignals(
  db: Db,
  filter: SignalFilter,
): Promise<{ total: number; totalRelation: 'eq' | 'gte' }> {
  const row = await db
    .selectFrom(
      filteredSignals(db, filter)
        .select('s.id')
        .limit(countedUpTo + 1)
        .as('matching'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n > countedUpTo ? { total: countedUpTo, totalRelation: 'gte' } : { total: row.n, totalRelation: 'eq' };
}

interface Weighed {
  readonly id: number;
  /** Bytes of the payload. */
  readonly weight: number;
}

function newestSignals(db: Db, filter: SignalFilter, offset: number, limit: number): Promise<Weighed[]> {
  const query = filteredSignals(db, filter).select('s.id').limit(limit).offset(offset);
  // Ids and times grow together, so both orders are the same; each filter uses the order that has an index.
  const page =
    filter.endpointId === undefined
      ? query.orderBy('s.created_at', 'desc').orderBy('s.id', 'desc')
      : query.orderBy('s.id', 'desc');
  return (
    db
      .selectFrom('signals')
      .innerJoin(page.as('page'), 'page.id', 'signals.id')
      .select(['signals.id', sql<number>`octet_length(signals.payload)`.as('weight')])
      // Order by page.id: with signals.id, SQLite scans the whole table in that order and probes the page for each row.
      .orderBy('page.id', 'desc')
      .execute()
  );
}

function* groupByWeight(signals: readonly Weighed[]): Generator<number[]> {
  let ids: number[] = [];
  let sum = 0;
  for (const { id, weight } of signals) {
    if (ids.length > 0 && sum + weight > pageWeight) {
      yield ids;
      [ids, sum] = [[], 0];
    }
    ids.push(id);
    sum += weight;
  }
  if (ids.length > 0) yield ids;
}

async function signalsById(db: Db, ids: readonly number[]): Promise<ReceivedSignal[]> {
  return db
    .selectFrom('signals as s')
    .leftJoin('signal_endpoint_tokens as t', 't.id', 's.token_id')
    .leftJoin('signal_endpoints as e', 'e.id', 's.endpoint_id')
    .select(['s.id', 's.endpoint_id as endpointId', 's.created_at as createdAt', 's.payload', 's.normalized'])
    .select(['s.token_id as tokenId', 't.name as tokenName'])
    .select(['e.name as endpointName', 'e.description as endpointDescription'])
    .where('s.id', 'in', ids)
    .orderBy('s.id', 'desc')
    .execute();
}

function filteredSignals(db: Db, filter: SignalFilter) {
  let query = db.selectFrom('signals as s');
  if (filter.endpointId !== undefined) query = query.where('s.endpoint_id', '=', filter.endpointId);
  if (filter.ids !== undefined) query = query.where('s.id', 'in', filter.ids);
  if (filter.from !== undefined) query = query.where('s.created_at', '>=', filter.from);
  if (filter.before !== undefined) query = query.where('s.created_at', '<', filter.before);
  const words = (filter.words ?? '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return query;
  const newest = query.select('s.id').orderBy('s.id', 'desc').limit(searchedUpTo);
  const searched = db.selectFrom('signals as s').where('s.id', 'in', newest);
  return words.reduce((left, word) => left.where(containsWord(word)), searched);
}

function containsWord(word: string): Condition {
  return sql<boolean>`(${containsText(sql`s.payload`, word)} or s.token_id in
    (select id from signal_endpoint_tokens where ${containsText(sql`name`, word)}))`;
}
