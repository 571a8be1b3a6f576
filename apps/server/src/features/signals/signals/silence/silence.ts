import type { Filters } from '#features/platform/payload-filters/index.ts';
import type { JobKind } from '#jobs/runner.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Db, NewJob, Tx } from '#storage/tx.ts';
import { expectedFiltersOf, type SignalEndpoint } from '../endpoints/index.ts';
import { newestSignalId } from '../log/index.ts';
import { compareNewSignals, type Expecting, expectingEndpoints, lastExpectedSignal } from './expected-signals.ts';
import { type OnStored, type SilenceState, storeSilence } from './silence-signal.ts';

const kind = 'silent-endpoints';
/** The interval of the job while an endpoint expects signals. */
const everyMs = 10_000;
const minuteMs = 60_000;

/** The job that finds silent endpoints. It ends when no endpoint expects signals, and is enqueued when one does. */
export const silenceJob: NewJob = { kind, uniqueKey: kind };

type Expectation = Pick<SignalEndpoint, 'enabled' | 'enabledUntil' | 'expectedMinutes' | 'expectedFilters'>;

/** Returns whether an update changes the expected signal of an endpoint. */
export function changesExpectation(before: Expectation, after: Expectation): boolean {
  return (
    before.enabled !== after.enabled ||
    before.enabledUntil !== after.enabledUntil ||
    before.expectedMinutes !== after.expectedMinutes ||
    JSON.stringify(before.expectedFilters) !== JSON.stringify(after.expectedFilters)
  );
}

/**
 * Restarts the time within which an endpoint expects a signal. Ends a silence without an event, but with a signal,
 * which releases the flags that action sets held because of the silence.
 */
export async function restartExpectation(
  tx: Tx,
  before: SignalEndpoint,
  { id, expectedMinutes }: SignalEndpoint,
  onStored: OnStored,
): Promise<void> {
  const lastSignalAt = await lastExpectedSignal(tx.db, before);
  const compared = { expected_signal_id: await newestSignalId(tx.db), expected_signal_at: null };
  const restarted = { expected_from: tx.now, silent_since: null, ...compared };
  await tx.db.updateTable('signal_endpoints').set(restarted).where('id', '=', id).execute();
  if (expectedMinutes !== null) tx.enqueue(silenceJob);
  if (before.silentSince === null || before.expectedMinutes === null) return;
  const { name, expectedMinutes: minutes, expectedFilters } = before;
  const silence = { endpointId: id, name, expectedMinutes: minutes, expectedFilters, lastSignalAt };
  await storeSilence(tx, { ...silence, since: before.silentSince }, 'ended', onStored);
}

/** An endpoint that is silent. */
export interface SilentEndpoint {
  readonly id: number;
  readonly name: string;
  readonly expectedMinutes: number;
  readonly expectedFilters: Filters;
  /** The time of the last expected signal, or the time from which a signal was expected. */
  readonly silentSince: number;
}

/** Returns the silent endpoints, the longest silent first. */
export async function silentEndpoints(db: Db): Promise<SilentEndpoint[]> {
  const rows = await db
    .selectFrom('signal_endpoints')
    .select(['id', 'name', 'expected_minutes', 'expected_filters', 'silent_since'])
    .where('silent_since', 'is not', null)
    .orderBy('silent_since')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    expectedMinutes: Number(row.expected_minutes),
    expectedFilters: expectedFiltersOf(row, row.id),
    silentSince: Number(row.silent_since),
  }));
}

/**
 * Returns the job that detects when an expected signal does not come, and when signals come again. It records an event,
 * and stores a signal that triggers action sets. The time before `startedAt` does not count as silence, because this
 * process received no signals then.
 *
 * Storing a signal is the path that carries load, so it does nothing for this: the job reads the last signal of each
 * endpoint that expects one, and a silence is found up to ten seconds late. An event is in the transaction that stores
 * the silence, so one of several processes records it.
 */
export function watchSilence(startedAt: number, onStored: OnStored): JobKind {
  return {
    kind,
    recurring: true,
    records: true,
    run: async (tx) => {
      const expecting = await expectingEndpoints(tx.db);
      if (expecting.length === 0) return undefined;
      let isBehind = false;
      for (const endpoint of expecting) {
        const compared = await compareNewSignals(tx, endpoint);
        if (compared === 'behind') isBehind = true;
        else await look(tx, compared, startedAt, onStored);
      }
      // Run again at once when signals are left to compare. Other changes can commit between the two runs.
      return isBehind ? tx.now : tx.now + everyMs;
    },
  };
}

/**
 * Stores a signal when an endpoint has become silent or is no longer silent, and records the event; without an event
 * when the silence ends because the endpoint was disabled.
 */
async function look(tx: Tx, endpoint: Expecting, startedAt: number, onStored: OnStored): Promise<void> {
  const { id, name, expectedMinutes, expectedFilters, silentSince, lastSignalAt, expectedFrom, takes } = endpoint;
  const silence = { name, expectedMinutes, expectedFilters };
  const note = (since: number, state: SilenceState) =>
    storeSilence(tx, { ...silence, endpointId: id, since, lastSignalAt }, state, onStored);
  const record = (type: 'signal-endpoint-silent' | 'signal-endpoint-heard', since: number, signalId: number) =>
    tx.nested({ ...tx.by, cause: { ...tx.by.cause, signalId } }, async (part) =>
      part.record({ type, data: { id, ...silence, silentSince: isoTime(since) } }),
    );
  if (silentSince !== null) {
    const isHeard = (lastSignalAt ?? 0) > silentSince;
    // An endpoint that is disabled expects no signals, so its silence ends.
    if (!isHeard && takes(tx.now)) return;
    await setSilentSince(tx, id, null);
    const signalId = await note(silentSince, 'ended');
    if (isHeard) await record('signal-endpoint-heard', silentSince, signalId);
    return;
  }
  const lastSign = Math.max(lastSignalAt ?? 0, expectedFrom);
  if (!takes(tx.now) || tx.now - Math.max(lastSign, startedAt) < expectedMinutes * minuteMs) return;
  await setSilentSince(tx, id, lastSign);
  await record('signal-endpoint-silent', lastSign, await note(lastSign, 'began'));
}

async function setSilentSince(tx: Tx, id: number, since: number | null): Promise<void> {
  await tx.db.updateTable('signal_endpoints').set({ silent_since: since }).where('id', '=', id).execute();
}
