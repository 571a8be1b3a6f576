import { z } from 'zod';
import { newId, secretHash } from '../../../kernel/ids.ts';
import { jsonColumn } from '../../../storage/json-column.ts';
import { openedIn, sealedIn } from '../../../storage/sealed-text.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import type { PlannedCall } from '../kinds/index.ts';
import type { Call, CallState, DueCall } from './call.ts';

const headersColumn = jsonColumn<PlannedCall['headers']>('action_calls.headers', z.record(z.string(), z.string()));

/** Queues a call, to be sent after the change has committed. All attempts have the same idempotency key. */
export async function queueCall(
  tx: Tx,
  source: { readonly runId: number; readonly actionSetId: number; readonly actionId: number },
  { method, url, headers, body }: PlannedCall,
): Promise<void> {
  await tx.db
    .insertInto('action_calls')
    .values({
      run_id: source.runId,
      action_set_id: source.actionSetId,
      action_id: source.actionId,
      idempotency_key: `run-${source.runId}-${newId()}`,
      method,
      url: sealedIn(tx.db, url),
      url_hash: secretHash(url),
      headers: sealedIn(tx.db, headersColumn.write(headers)),
      body: sealedIn(tx.db, body),
      state: 'queued',
      attempts: 0,
      status: null,
      details: null,
      next_attempt_at: tx.now,
      created_at: tx.now,
      settled_at: null,
    })
    .execute();
}

/** Returns the calls of runs, by run, in one statement. */
export async function callsOf(db: Db, runIds: readonly number[]): Promise<Map<number, Call[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('action_calls')
    .select(['id', 'run_id', 'action_id', 'state', 'attempts', 'status', 'details', 'next_attempt_at', 'settled_at'])
    .where('run_id', 'in', runIds)
    .orderBy('id')
    .execute();
  const calls = rows.map(
    (row): Call => ({
      id: row.id,
      runId: row.run_id,
      actionId: row.action_id,
      state: row.state as CallState,
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

/** Returns the calls that are due, oldest due time first. */
export async function dueCalls(db: Db, now: number, limit: number): Promise<DueCall[]> {
  const rows = await db
    .selectFrom('action_calls')
    .selectAll()
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    runId: row.run_id,
    idempotencyKey: row.idempotency_key,
    method: row.method,
    url: openedIn(db, row.url, `The queued call ${row.id}`),
    headers: headersColumn.parse(openedIn(db, row.headers, `The queued call ${row.id}`), row.id),
    body: openedIn(db, row.body, `The queued call ${row.id}`),
    attempts: row.attempts,
    createdAt: row.created_at,
  }));
}

/** Returns the due time of the next call; undefined when no call waits. */
export async function nextDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('action_calls')
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/**
 * Claims a call for an attempt. Returns false when another process has claimed it. If this process crashes, the call is
 * due again at `until`.
 */
export async function claimAttempt(tx: Tx, { id, attempts }: DueCall, until: number): Promise<boolean> {
  const claimed = await tx.db
    .updateTable('action_calls')
    .set({ attempts: attempts + 1, next_attempt_at: until })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('next_attempt_at', '<=', tx.now)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly state: CallState;
  readonly status: number | null;
  readonly details: string;
  /** In milliseconds UTC; null when there is no further attempt. */
  readonly nextAttemptAt: number | null;
}

/**
 * Saves the result of an attempt, unless a later attempt has started. A settled call is not sent again: its request is
 * deleted, and the run ends with its last call.
 */
export async function saveAttempt(tx: Tx, call: DueCall, attempt: number, result: AttemptResult): Promise<void> {
  const settled = result.nextAttemptAt === null;
  const saved = await tx.db
    .updateTable('action_calls')
    .set({
      state: result.state,
      status: result.status,
      details: result.details,
      next_attempt_at: result.nextAttemptAt,
      settled_at: settled ? tx.now : null,
      ...(settled ? { url: '', headers: '', body: '' } : {}),
    })
    .where('id', '=', call.id)
    .where('attempts', '=', attempt)
    .returning('id')
    .executeTakeFirst();
  if (saved !== undefined && settled) await settleRun(tx, call.runId);
}

/** Marks a call as failed without sending it. */
export async function failCall(tx: Tx, id: number, details: string): Promise<void> {
  const failed = await tx.db
    .updateTable('action_calls')
    .set({ state: 'failed', details, next_attempt_at: null, settled_at: tx.now, url: '', headers: '', body: '' })
    .where('id', '=', id)
    .where('next_attempt_at', 'is not', null)
    .returning('run_id')
    .executeTakeFirst();
  if (failed !== undefined) await settleRun(tx, failed.run_id);
}

/** Sets a run to `failed` when one of its calls failed, and to `success` when all were delivered. */
async function settleRun(tx: Tx, runId: number): Promise<void> {
  // Lock the run first, so that concurrent transactions that settle its calls see each other.
  const run = tx.db.updateTable('action_runs').where('id', '=', runId).where('state', '=', 'started');
  const started = await run.set({ state: 'started' }).returning('id').executeTakeFirst();
  if (started === undefined) return;
  const calls = await tx.db.selectFrom('action_calls').select('state').where('run_id', '=', runId).execute();
  const failed = calls.some(({ state }) => state === 'failed');
  if (failed || calls.every(({ state }) => state === 'delivered'))
    await run.set({ state: failed ? 'failed' : 'success' }).execute();
}

/** Makes all waiting calls due now. Only safe when no other process sends calls. */
export async function makeAllDue(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('action_calls')
    .set({ next_attempt_at: tx.now })
    .where('next_attempt_at', '>', tx.now)
    .execute();
}
