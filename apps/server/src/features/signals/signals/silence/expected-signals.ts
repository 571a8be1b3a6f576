import { compileFilters, type Filters } from '#features/platform/payload-filters/index.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { expectedFiltersOf, isEnabled } from '../endpoints/index.ts';
import { type PendingSignal, pendingSignals, signalValue, silenceTokenId, testTokenId } from '../log/index.ts';

/** The token ids of signals that do not come from the sender: test signals, and signals that report a silence. */
const ownTokenIds = [testTokenId, silenceTokenId];
/** The maximum number of signals of an endpoint that one transaction compares with filters. */
const maxSignals = 50;

/** An endpoint that expects signals. */
export interface Expecting {
  readonly id: number;
  readonly name: string;
  readonly expectedMinutes: number;
  readonly expectedFilters: Filters;
  readonly expectedFrom: number;
  readonly silentSince: number | null;
  /** The time of the last signal that counts as expected; null when there is none. */
  readonly lastSignalAt: number | null;
  /** The id of the last signal that was compared with the filters. */
  readonly comparedUpTo: number;
  /** Returns whether the endpoint is enabled. */
  readonly takes: (now: number) => boolean;
}

/** Returns the endpoints that expect signals. */
export async function expectingEndpoints(db: Db): Promise<Expecting[]> {
  const rows = await db
    .selectFrom('signal_endpoints as e')
    .select(['e.id', 'e.name', 'e.enabled', 'e.enabled_until', 'e.expected_minutes', 'e.expected_from'])
    .select((eb) => [
      'e.silent_since',
      'e.expected_filters',
      'e.expected_signal_id',
      'e.expected_signal_at',
      eb
        .selectFrom('signals as s')
        .select('s.created_at')
        .whereRef('s.endpoint_id', '=', 'e.id')
        .where('s.token_id', 'not in', ownTokenIds)
        .orderBy('s.id', 'desc')
        .limit(1)
        .as('last_signal_at'),
    ])
    .where('e.expected_minutes', 'is not', null)
    .execute();
  return rows.map((row) => {
    const expectedFilters = expectedFiltersOf(row, row.id);
    return {
      id: row.id,
      name: row.name,
      expectedMinutes: Number(row.expected_minutes),
      expectedFilters,
      expectedFrom: row.expected_from,
      silentSince: row.silent_since,
      lastSignalAt: hasFilters({ expectedFilters }) ? row.expected_signal_at : row.last_signal_at,
      comparedUpTo: row.expected_signal_id,
      takes: (now: number) => isEnabled({ enabled: row.enabled === 1, enabledUntil: row.enabled_until }, now),
    };
  });
}

/** Returns the time of the last signal that is known to be an expected one; null when there is none. */
export async function lastExpectedSignal(
  db: Db,
  endpoint: Pick<Expecting, 'id' | 'expectedFilters'>,
): Promise<number | null> {
  if (hasFilters(endpoint)) {
    const endpoints = db.selectFrom('signal_endpoints').where('id', '=', endpoint.id);
    return (await endpoints.select('expected_signal_at').executeTakeFirstOrThrow()).expected_signal_at;
  }
  const row = await db
    .selectFrom('signals')
    .select('created_at')
    .where('endpoint_id', '=', endpoint.id)
    .where('token_id', 'not in', ownTokenIds)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? null;
}

/**
 * Compares the next signals of an endpoint with its filters, and stores the id of the last one and the time of the last
 * one that passes. Returns the endpoint with this time, or `behind` when more signals may have to be compared.
 *
 * Comparing on arrival would write a row for each signal, or keep the time in one process; searching backwards at each
 * look would read a day of signals while an endpoint is silent. Comparing 10 new signals takes 4 ms on SQLite and 23 ms
 * on PostgreSQL, 5,000 take 0.4 s and 0.6 s in 100 transactions.
 *
 * An endpoint has one expectation, because silence is a state of the endpoint: its mark, its metric, and the trigger
 * and signals of a silence have no name of an expectation. A second expected alert has an endpoint of its own.
 */
export async function compareNewSignals(tx: Tx, endpoint: Expecting): Promise<Expecting | 'behind'> {
  if (!hasFilters(endpoint)) return endpoint;
  const signals = await pendingSignals(tx.db, endpoint.id, endpoint.comparedUpTo, maxSignals);
  const newest = signals.at(-1);
  if (newest === undefined) return endpoint;
  const expected = signals.findLast((signal) => isExpected(endpoint, signal));
  const lastSignalAt = expected?.createdAt ?? endpoint.lastSignalAt;
  await tx.db
    .updateTable('signal_endpoints')
    .set({ expected_signal_id: newest.id, expected_signal_at: lastSignalAt })
    .where('id', '=', endpoint.id)
    .execute();
  return signals.length === maxSignals ? 'behind' : { ...endpoint, lastSignalAt };
}

function isExpected({ expectedFilters }: Expecting, signal: PendingSignal): boolean {
  if (ownTokenIds.includes(signal.tokenId)) return false;
  // Compile the filters for each signal, because compiled filters have an evaluation budget for one signal.
  return compileFilters(expectedFilters)(signalValue(signal)).every(({ passes }) => passes);
}

function hasFilters({ expectedFilters }: Pick<Expecting, 'expectedFilters'>): boolean {
  return Object.keys(expectedFilters).length > 0;
}
