import { z } from 'zod';
import {
  bury,
  type DeliveryState,
  maxRedelivered,
  queueAgain,
  queueDeliveries,
} from '#features/platform/deliveries/index.ts';
import { newId, secretHash } from '#kernel/ids.ts';
import { jsonColumn } from '#storage/json-column.ts';
import { openedIn, sealedIn } from '#storage/sealed-text.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { PlannedCall } from '../kinds/index.ts';
import { type Call, callStates } from './call.ts';

const headersColumn = jsonColumn<PlannedCall['headers']>('action_calls.headers', z.record(z.string(), z.string()));

/** Queues a call, to be sent after the change has committed. All attempts have the same idempotency key. */
export async function queueCall(
  tx: Tx,
  source: { readonly runId: number; readonly actionSetId: number; readonly actionId: number },
  { method, url, headers, body }: PlannedCall,
  lifetimeMs: number,
): Promise<void> {
  const call = await tx.db
    .insertInto('action_calls')
    .values({
      run_id: source.runId,
      action_set_id: source.actionSetId,
      action_id: source.actionId,
      method,
      url: sealedIn(tx.db, url),
      url_hash: secretHash(url),
      headers: sealedIn(tx.db, headersColumn.write(headers)),
      body: sealedIn(tx.db, body),
      created_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueDeliveries(tx, lifetimeMs, [{ messageId: `run-${source.runId}-${newId()}`, callId: call.id }]);
}

/** Returns the calls of runs, by run, in one statement. */
export async function callsOf(db: Db, runIds: readonly number[]): Promise<Map<number, Call[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('action_calls as c')
    .innerJoin('deliveries as d', 'd.call_id', 'c.id')
    .select(['c.id', 'c.run_id', 'c.action_id'])
    .select(['d.state', 'd.attempts', 'd.status', 'd.details', 'd.next_attempt_at', 'd.settled_at'])
    .where('c.run_id', 'in', runIds)
    .orderBy('c.id')
    .execute();
  const calls = rows.map(
    (row): Call => ({
      id: row.id,
      runId: row.run_id,
      actionId: row.action_id,
      state: callStates[row.state as DeliveryState],
      attempts: row.attempts,
      status: row.status,
      details: row.details,
      nextAttemptAt: row.next_attempt_at,
      settledAt: row.settled_at,
    }),
  );
  return Map.groupBy(calls, ({ runId }) => runId);
}

/** Returns whether another run of the set has queued the same method and URL since a time. */
export async function wasCalledSince(
  db: Db,
  { setId, runId, since }: { readonly setId: number; readonly runId: number; readonly since: number },
  { method, url }: Pick<PlannedCall, 'method' | 'url'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('action_calls')
    .select('id')
    .where('action_set_id', '=', setId)
    .where('created_at', '>', since)
    .where('run_id', '<>', runId)
    .where('method', '=', method)
    .where('url_hash', '=', secretHash(url))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the requests of calls, by the id of the call. A call whose request was deleted has none: another process has
 * sent or given it up meanwhile.
 */
export async function requestsOf(
  db: Db,
  callIds: readonly number[],
): Promise<Map<number, PlannedCall & { readonly runId: number }>> {
  const rows = await db.selectFrom('action_calls').selectAll().where('id', 'in', callIds).execute();
  return new Map(
    rows.flatMap(({ id, run_id: runId, method, ...row }) => {
      const [url, headers, body] = [row.url, row.headers, row.body].map((text) =>
        openedIn(db, text, `The queued call ${id}`),
      );
      if (url === undefined || headers === undefined || body === undefined) return [];
      return [[id, { runId, method, url, headers: headersColumn.parse(headers, id), body }]];
    }),
  );
}

/** Ends the run of a call when all its calls were delivered or one failed. Deletes the request of a delivered call. */
export async function settleCall(tx: Tx, callId: number, state: DeliveryState): Promise<void> {
  if (state === 'delivered') await deleteRequest(tx, callId);
  const call = await tx.db.selectFrom('action_calls').select('run_id').where('id', '=', callId).executeTakeFirst();
  if (call !== undefined) await settleRun(tx, call.run_id);
}

async function deleteRequest(tx: Tx, callId: number): Promise<void> {
  await tx.db.updateTable('action_calls').set(noRequest).where('id', '=', callId).execute();
}

/** The columns of a call whose request was deleted. Such a call cannot be sent again. */
export const noRequest = { url: '', headers: '', body: '' } as const;

/** Deletes the request of a call, and marks the call as failed if it waits to be sent. */
export async function failCall(tx: Tx, callId: number, details: string): Promise<void> {
  await deleteRequest(tx, callId);
  const delivery = await tx.db.selectFrom('deliveries').select('id').where('call_id', '=', callId).executeTakeFirst();
  if (delivery !== undefined && (await bury(tx, delivery.id, details))) await settleCall(tx, callId, 'dead');
}

/**
 * Queues the failed calls of an action set, or of one of its runs, again, oldest first. Restarts the runs of these
 * calls that `failedByCalls` returns. Returns the number of calls, at most {@link maxRedelivered}. Leaves out calls
 * whose request was deleted.
 */
export async function queueFailedCalls(
  tx: Tx,
  { actionSetId, runId }: { readonly actionSetId: number; readonly runId?: number | undefined },
  lifetimeMs: number,
  failedByCalls: (db: Db, runIds: readonly number[]) => Promise<readonly number[]>,
): Promise<number> {
  let query = tx.db
    .selectFrom('deliveries as d')
    .innerJoin('action_calls as c', 'c.id', 'd.call_id')
    .select(['d.id', 'c.run_id as runId'])
    .where('d.state', '=', 'dead')
    .where('c.action_set_id', '=', actionSetId)
    .where('c.url', '<>', '');
  if (runId !== undefined) query = query.where('c.run_id', '=', runId);
  const failed = await query.orderBy('d.id').limit(maxRedelivered).execute();
  if (failed.length === 0) return 0;
  const runIds = await failedByCalls(tx.db, [...new Set(failed.map((call) => call.runId))]);
  if (runIds.length > 0) {
    const runs = tx.db.updateTable('action_runs').where('id', 'in', runIds);
    await runs.set({ state: 'started', reason: null }).where('state', '=', 'failed').execute();
  }
  return queueAgain(
    tx,
    failed.map(({ id }) => id),
    lifetimeMs,
  );
}

/** Returns the ids of the deliveries of a run, with their actions. */
export async function deliveriesOfRun(db: Db, runId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('deliveries as d')
    .innerJoin('action_calls as c', 'c.id', 'd.call_id')
    .select(['d.id', 'c.action_id'])
    .where('c.run_id', '=', runId)
    .execute();
  return new Map(rows.map(({ id, action_id }) => [id, action_id]));
}

/** Sets a run to `failed` when one of its calls failed, and to `success` when all were delivered. */
async function settleRun(tx: Tx, runId: number): Promise<void> {
  // Lock the run first, so that concurrent transactions that settle its calls see each other.
  const run = tx.db.updateTable('action_runs').where('id', '=', runId).where('state', '=', 'started');
  const started = await run.set({ state: 'started' }).returning('id').executeTakeFirst();
  if (started === undefined) return;
  const calls = (await callsOf(tx.db, [runId])).get(runId) ?? [];
  const failed = calls.find(({ state }) => state === 'failed');
  if (failed !== undefined) await run.set({ state: 'failed', reason: failed.details }).execute();
  else if (calls.every(({ state }) => state === 'delivered')) await run.set({ state: 'success' }).execute();
}
