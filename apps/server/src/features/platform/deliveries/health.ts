import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { backOff } from './back-off.ts';

/** An integration is paused after this many failed attempts in a row, over at least this time. */
const pauseAfterFailures = 10;
const pauseAfterMs = 10 * 60_000;

/** The health of an integration as a receiver. */
export interface Health {
  readonly integrationId: number;
  readonly consecutiveFailures: number;
  readonly failingSince: number | null;
  /** While an integration is paused, only its oldest message is tried, at growing intervals. */
  readonly pausedAt: number | null;
  readonly lastError: string | null;
  /** An ordered or paused integration is not called before this time. */
  readonly blockedUntil: number;
  /** The number of dead letters since the last delivered message. */
  readonly deadLetters: number;
}

/** Starts the health of a new integration. */
export async function insertHealth(tx: Tx, integrationId: number): Promise<void> {
  await tx.db
    .insertInto('delivery_health')
    .values({
      integration_id: integrationId,
      consecutive_failures: 0,
      failing_since: null,
      paused_at: null,
      last_error: null,
      blocked_until: 0,
      dead_letters: 0,
    })
    .execute();
}

/** Returns the health of all integrations by id. */
export async function healthOfAll(db: Db): Promise<Map<number, Health>> {
  const rows = await db.selectFrom('delivery_health').selectAll().execute();
  return new Map(rows.map((row) => [row.integration_id, healthOf(row)]));
}

async function findHealth(db: Db, integrationId: number): Promise<Health | undefined> {
  const row = await db
    .selectFrom('delivery_health')
    .selectAll()
    .where('integration_id', '=', integrationId)
    .executeTakeFirst();
  return row && healthOf(row);
}

/** Counts a failed attempt and blocks the integration for the time of the back-off. */
export async function noteFailure(
  tx: Tx,
  integrationId: number,
  failure: { readonly error: string; readonly random: number; readonly retryAfterMs: number | undefined },
): Promise<Health | undefined> {
  const before = await findHealth(tx.db, integrationId);
  if (before === undefined) return undefined;
  const failures = before.consecutiveFailures + 1;
  const row = await tx.db
    .updateTable('delivery_health')
    .set((eb) => ({
      consecutive_failures: eb('consecutive_failures', '+', 1),
      failing_since: before.failingSince ?? tx.now,
      last_error: failure.error,
      blocked_until: tx.now + backOff(failures, failure.random, failure.retryAfterMs),
    }))
    .where('integration_id', '=', integrationId)
    .returningAll()
    .executeTakeFirst();
  return row && healthOf(row);
}

/** Resets the count of failures after a delivered message. Returns the health as it was before. */
export async function noteSuccess(tx: Tx, integrationId: number): Promise<Health | undefined> {
  const before = await findHealth(tx.db, integrationId);
  if (before === undefined || (before.failingSince === null && before.deadLetters === 0)) return before;
  await tx.db
    .updateTable('delivery_health')
    .set({ consecutive_failures: 0, failing_since: null, blocked_until: 0, dead_letters: 0 })
    .where('integration_id', '=', integrationId)
    .execute();
  return before;
}

/** After this many dead letters in a row, an event says that the receiver refuses what it is sent. */
const reportedDeadLetters = 10;

/** Counts a dead letter of an integration, and records the event when it is the tenth in a row. */
export async function noteDeadLetter(tx: Tx, integrationId: number, error: string): Promise<void> {
  const row = await tx.db
    .updateTable('delivery_health')
    .set((eb) => ({ dead_letters: eb('dead_letters', '+', 1), last_error: error }))
    .where('integration_id', '=', integrationId)
    .returning('dead_letters')
    .executeTakeFirst();
  if (row?.dead_letters !== reportedDeadLetters) return;
  const data = { id: integrationId, deadLetters: reportedDeadLetters, lastError: error };
  tx.record({ type: 'integration-refuses-events', outcome: 'failure', data });
}

/** Returns whether an integration has failed for so long that it must be paused. */
export function mustPause({ consecutiveFailures, failingSince, pausedAt }: Health, now: number): boolean {
  if (pausedAt !== null || failingSince === null) return false;
  return consecutiveFailures >= pauseAfterFailures && now - failingSince >= pauseAfterMs;
}

/** Pauses an integration that fails, and records the event. Does nothing when it is paused already. */
export async function pause(tx: Tx, integrationId: number): Promise<void> {
  const paused = await tx.db
    .updateTable('delivery_health')
    .set({ paused_at: tx.now })
    .where('integration_id', '=', integrationId)
    .where('paused_at', 'is', null)
    .where('failing_since', 'is not', null)
    .returningAll()
    .executeTakeFirst();
  if (paused === undefined) return;
  const { consecutive_failures: failedAttempts, last_error: lastError } = paused;
  tx.record({ type: 'integration-paused', data: { id: integrationId, failedAttempts, lastError } });
}

/** Ends the pause of an integration, and records the event. Returns false when it is not paused. */
export async function resume(tx: Tx, integrationId: number): Promise<boolean> {
  const resumed = await tx.db
    .updateTable('delivery_health')
    .set({ paused_at: null, consecutive_failures: 0, failing_since: null, blocked_until: 0 })
    .where('integration_id', '=', integrationId)
    .where('paused_at', 'is not', null)
    .returning('integration_id')
    .executeTakeFirst();
  if (resumed !== undefined) tx.record({ type: 'integration-resumed', data: { id: integrationId } });
  return resumed !== undefined;
}

/** Makes the waiting messages of an integration due now. */
export async function makeDue(tx: Tx, integrationId: number): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ next_attempt_at: tx.now })
    .where('integration_id', '=', integrationId)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '>', tx.now)
    .execute();
  await tx.db
    .updateTable('delivery_health')
    .set({ blocked_until: 0 })
    .where('integration_id', '=', integrationId)
    .execute();
}

function healthOf(row: Row<'delivery_health'>): Health {
  return {
    integrationId: row.integration_id,
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since,
    pausedAt: row.paused_at,
    lastError: row.last_error,
    blockedUntil: row.blocked_until,
    deadLetters: row.dead_letters,
  };
}
