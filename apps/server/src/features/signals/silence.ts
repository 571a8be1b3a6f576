import type { JobKind } from '../../jobs/runner.ts';
import { isoTime } from '../../kernel/clock.ts';
import type { Db, NewJob, Tx } from '../../storage/tx.ts';
import { isEnabled, type SignalEndpoint } from './endpoint.ts';
import { testTokenId } from './signal.ts';

const kind = 'silent-endpoints';
/** How often the job looks while an endpoint expects signals. */
const everyMs = 10_000;
const minuteMs = 60_000;

/** The job that finds silent endpoints. It ends while no endpoint expects signals. */
export const silenceJob: NewJob = { kind, uniqueKey: kind };

type Expectation = Pick<SignalEndpoint, 'enabled' | 'enabledUntil' | 'expectedMinutes'>;

/** Returns whether an update changes what an endpoint expects. */
export function changesExpectation(before: Expectation, after: Expectation): boolean {
  return (
    before.enabled !== after.enabled ||
    before.enabledUntil !== after.enabledUntil ||
    before.expectedMinutes !== after.expectedMinutes
  );
}

/** Counts the minutes of an endpoint anew, and ends its silence without an event. */
export async function restartExpectation(tx: Tx, { id, expectedMinutes }: SignalEndpoint): Promise<void> {
  const restarted = { expected_from: tx.now, silent_since: null };
  await tx.db.updateTable('signal_endpoints').set(restarted).where('id', '=', id).execute();
  if (expectedMinutes !== null) tx.enqueue(silenceJob);
}

/** An endpoint that is silent. */
export interface SilentEndpoint {
  readonly id: number;
  readonly name: string;
  readonly expectedMinutes: number;
  /** The last signal, or the time from which one was expected. */
  readonly silentSince: number;
}

/** Returns the silent endpoints, the longest silent first. */
export async function silentEndpoints(db: Db): Promise<SilentEndpoint[]> {
  const rows = await db
    .selectFrom('signal_endpoints')
    .select(['id', 'name', 'expected_minutes', 'silent_since'])
    .where('silent_since', 'is not', null)
    .orderBy('silent_since')
    .execute();
  return rows.map(({ id, name, expected_minutes, silent_since }) => ({
    id,
    name,
    expectedMinutes: Number(expected_minutes),
    silentSince: Number(silent_since),
  }));
}

/**
 * Returns the job that records when an expected signal does not come, and when signals come again. Before `startedAt`
 * this process did not listen, so the time before it does not count as silence.
 */
export function watchSilence(startedAt: number): JobKind {
  return {
    kind,
    recurring: true,
    records: true,
    run: async (tx) => {
      const expecting = await expectingEndpoints(tx.db);
      for (const endpoint of expecting) await look(tx, endpoint, startedAt);
      return expecting.length === 0 ? undefined : tx.now + everyMs;
    },
  };
}

/** Notes that an endpoint has become silent, or is no longer, and records an event for it. */
async function look(tx: Tx, endpoint: Expecting, startedAt: number): Promise<void> {
  const { id, name, expectedMinutes, silentSince, lastSignalAt, expectedFrom, takes } = endpoint;
  const record = (type: 'signal-endpoint-silent' | 'signal-endpoint-heard', since: number) =>
    tx.record({ type, data: { id, name, expectedMinutes, silentSince: isoTime(since) } });
  if (silentSince !== null) {
    const isHeard = lastSignalAt > silentSince;
    // An endpoint that takes no signals any more expects none.
    if (isHeard || !takes(tx.now)) await setSilentSince(tx, id, null);
    if (isHeard) record('signal-endpoint-heard', silentSince);
    return;
  }
  const lastSign = Math.max(lastSignalAt, expectedFrom);
  if (!takes(tx.now) || tx.now - Math.max(lastSign, startedAt) < expectedMinutes * minuteMs) return;
  await setSilentSince(tx, id, lastSign);
  record('signal-endpoint-silent', lastSign);
}

async function setSilentSince(tx: Tx, id: number, since: number | null): Promise<void> {
  await tx.db.updateTable('signal_endpoints').set({ silent_since: since }).where('id', '=', id).execute();
}

type Expecting = Awaited<ReturnType<typeof expectingEndpoints>>[number];

/** Returns the endpoints that expect signals, with the time of the last signal of a sender; 0 when there is none. */
async function expectingEndpoints(db: Db) {
  const rows = await db
    .selectFrom('signal_endpoints as e')
    .select(['e.id', 'e.name', 'e.enabled', 'e.enabled_until', 'e.expected_minutes', 'e.expected_from'])
    .select((eb) => [
      'e.silent_since',
      eb
        .selectFrom('signals as s')
        .select('s.created_at')
        .whereRef('s.endpoint_id', '=', 'e.id')
        .where('s.token_id', '!=', testTokenId)
        .orderBy('s.id', 'desc')
        .limit(1)
        .as('last_signal_at'),
    ])
    .where('e.expected_minutes', 'is not', null)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    expectedMinutes: Number(row.expected_minutes),
    expectedFrom: row.expected_from,
    silentSince: row.silent_since,
    lastSignalAt: row.last_signal_at ?? 0,
    takes: (now: number) => isEnabled({ enabled: row.enabled === 1, enabledUntil: row.enabled_until }, now),
  }));
}
