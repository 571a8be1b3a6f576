import { hash } from 'node:crypto';
import { type IsOnHold, retentionJob } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import { sql, type Tx } from '#storage/tx.ts';
import { deliveryRetentionDays } from './deliveries.ts';

const dayMs = 24 * 60 * 60 * 1000;
const restMs = 60 * 60 * 1000;
/** The maximum number of signals that one transaction deletes: few, so that no request waits long. */
const stepSignals = 1000;
/** The maximum number of payloads in memory at once, while their digests are computed. */
const hashedTogether = 20;

/** The days to keep signals and the events of changes; 0 keeps them for ever. */
export interface SignalRetention {
  readonly signalDays: number;
  readonly eventDays: number;
}

/**
 * Excludes the signals of runs that wait: without its signal, a release that a freeze stopped would be skipped, and its
 * flags would stay held.
 */
const isNotWaitedFor = sql<boolean>`not exists
  (select 1 from action_runs where action_runs.signal_id = signals.id and action_runs.state = 'waiting')`;

/**
 * Returns the jobs that delete old signals, and delivery keys that are no longer recognised. An endpoint can keep its
 * signals for a shorter time. Signals of waiting runs are kept. A digest of each signal that events name is kept as
 * long as those events.
 */
export function signalRetention({ signalDays, eventDays }: SignalRetention, isOnHold: IsOnHold): JobKind[] {
  return [
    retentionJob(
      'delivery-key-retention',
      [{ table: 'signal_deliveries', column: 'created_at', days: deliveryRetentionDays }],
      isOnHold,
    ),
    {
      kind: 'signal-retention',
      recurring: true,
      run: async (tx) => {
        if (await isOnHold(tx.db)) return tx.now + restMs;
        if (eventDays > 0) await deleteUnnamedDigests(tx, tx.now - eventDays * dayMs);
        const old = signalDays === 0 ? [] : await findOldSignals(tx, tx.now - signalDays * dayMs);
        const ids = old.length > 0 ? old : await findOldSignalsOfEndpoints(tx);
        await deleteSignals(tx, ids);
        return ids.length > 0 ? tx.now : tx.now + restMs;
      },
    },
  ];
}

/** Returns the ids of the oldest signals from before a time, at most {@link stepSignals}. */
async function findOldSignals(tx: Tx, before: number): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('signals')
    .select('id')
    .where('created_at', '<', before)
    .where(isNotWaitedFor)
    .orderBy('created_at')
    .orderBy('id')
    .limit(stepSignals)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Returns at most {@link stepSignals} ids of signals that are older than their endpoint keeps signals, from the first
 * endpoint that has any.
 */
async function findOldSignalsOfEndpoints(tx: Tx): Promise<number[]> {
  const endpoints = await tx.db
    .selectFrom('signal_endpoints')
    .select(['id', 'retention_days'])
    .where('retention_days', 'is not', null)
    .execute();
  for (const { id, retention_days: days } of endpoints) {
    // Read by the index of endpoint and id, and not by time: ids increase with time.
    const oldest = await tx.db
      .selectFrom('signals')
      .select(['id', 'created_at'])
      .where('endpoint_id', '=', id)
      .where(isNotWaitedFor)
      .orderBy('id')
      .limit(stepSignals)
      .execute();
    const ids = oldest.filter((signal) => signal.created_at < tx.now - (days ?? 0) * dayMs).map((signal) => signal.id);
    if (ids.length > 0) return ids;
  }
  return [];
}

async function deleteSignals(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const named = await tx.db.selectFrom('events').select('signal_id').distinct().where('signal_id', 'in', ids).execute();
  const namedIds = named.flatMap(({ signal_id }) => signal_id ?? []);
  for (let from = 0; from < namedIds.length; from += hashedTogether) {
    await keepDigests(tx, namedIds.slice(from, from + hashedTogether));
    await yieldToEventLoop();
  }
  await tx.db.deleteFrom('signals').where('id', 'in', ids).execute();
}

async function keepDigests(tx: Tx, ids: readonly number[]): Promise<void> {
  const signals = await tx.db.selectFrom('signals').selectAll().where('id', 'in', ids).execute();
  const digests = signals.map(({ id, endpoint_id, token_id, created_at, payload }) => ({
    signal_id: id,
    endpoint_id,
    token_id,
    created_at,
    sha256: hash('sha256', payload, 'hex'),
    bytes: Buffer.byteLength(payload),
    deleted_at: tx.now,
  }));
  await tx.db.insertInto('signal_digests').values(digests).execute();
}

/** Deletes at most {@link stepSignals} digests of signals from before a time that no event names any more. */
async function deleteUnnamedDigests(tx: Tx, before: number): Promise<void> {
  const unnamed = tx.db
    .selectFrom('signal_digests')
    .select('signal_id')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('events').select('events.id').whereRef('events.signal_id', '=', 'signal_digests.signal_id')),
      ),
    )
    .orderBy('created_at')
    .limit(stepSignals);
  await tx.db.deleteFrom('signal_digests').where('signal_id', 'in', unnamed).execute();
}
