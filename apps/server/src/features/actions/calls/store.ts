import { newId, secretHash } from '../../../kernel/ids.ts';
import { openedIn, sealedIn } from '../../../storage/sealed-text.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import type { PlannedCall } from '../kinds/index.ts';
import type { Call, CallState, DueCall } from './call.ts';

/** Asks for a request, to be made when the change has been committed. Every attempt at it bears the same key. */
export async function queueCall(
  tx: Tx,
  of: { readonly runId: number; readonly actionSetId: number; readonly actionId: number },
  { method, url, headers, body }: PlannedCall,
): Promise<void> {
  await tx.db
    .insertInto('action_calls')
    .values({
      run_id: of.runId,
      action_set_id: of.actionSetId,
      action_id: of.actionId,
      idempotency_key: `run-${of.runId}-${newId()}`,
      method,
      url: sealedIn(tx.db, url),
      url_hash: secretHash(url),
      headers: sealedIn(tx.db, JSON.stringify(headers)),
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

/** The requests of runs, by run. One statement. */
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

/** Whether another run of the set has asked for the same since then. */
export async function isRepeated(
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

/** Requests to be tried now, those that have waited longest first. */
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
    headers: JSON.parse(openedIn(db, row.headers, `The queued call ${row.id}`)) as Record<string, string>,
    body: openedIn(db, row.body, `The queued call ${row.id}`),
    attempts: row.attempts,
    createdAt: row.created_at,
  }));
}

/** When the next request is to be tried; undefined when none waits. */
export async function nextDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('action_calls')
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** Begins an attempt; false when somebody else has. Should the process die over it, there is another one at `until`. */
export async function beginAttempt(tx: Tx, { id, attempts }: DueCall, until: number): Promise<boolean> {
  const begun = await tx.db
    .updateTable('action_calls')
    .set({ attempts: attempts + 1, next_attempt_at: until })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('next_attempt_at', '<=', tx.now)
    .returning('id')
    .executeTakeFirst();
  return begun !== undefined;
}

/** What came of an attempt. */
export interface Attempted {
  readonly state: CallState;
  readonly status: number | null;
  readonly details: string;
  /** Milliseconds UTC; null when there is none. */
  readonly nextAttemptAt: number | null;
}

/**
 * Notes what came of the attempt with that number; nothing when there has been another one since. What is settled is not sent again, what
 * was sent is forgotten, and its run comes to its end with it.
 */
export async function noteAttempt(tx: Tx, call: DueCall, attempt: number, came: Attempted): Promise<void> {
  const settled = came.nextAttemptAt === null;
  const noted = await tx.db
    .updateTable('action_calls')
    .set({
      state: came.state,
      status: came.status,
      details: came.details,
      next_attempt_at: came.nextAttemptAt,
      settled_at: settled ? tx.now : null,
      ...(settled ? { url: '', headers: '', body: '' } : {}),
    })
    .where('id', '=', call.id)
    .where('attempts', '=', attempt)
    .returning('id')
    .executeTakeFirst();
  if (noted !== undefined && settled) await endRun(tx, call.runId);
}

/** Settles a request that cannot be made any more. */
export async function failCall(tx: Tx, id: number, details: string): Promise<void> {
  const failed = await tx.db
    .updateTable('action_calls')
    .set({ state: 'failed', details, next_attempt_at: null, settled_at: tx.now, url: '', headers: '', body: '' })
    .where('id', '=', id)
    .where('next_attempt_at', 'is not', null)
    .returning('run_id')
    .executeTakeFirst();
  if (failed !== undefined) await endRun(tx, failed.run_id);
}

/** Says that a run has failed when a request of it has, and that it is done when all are. */
async function endRun(tx: Tx, runId: number): Promise<void> {
  // Locked first: requests of one run that are settled at once see each other.
  const run = tx.db.updateTable('action_runs').where('id', '=', runId).where('state', '=', 'started');
  const begun = await run.set({ state: 'started' }).returning('id').executeTakeFirst();
  if (begun === undefined) return;
  const calls = await tx.db.selectFrom('action_calls').select('state').where('run_id', '=', runId).execute();
  const failed = calls.some(({ state }) => state === 'failed');
  if (failed || calls.every(({ state }) => state === 'delivered'))
    await run.set({ state: failed ? 'failed' : 'success' }).execute();
}

/** Has everything tried at once that a process left in hand or for later. For when no other process is there. */
export async function hurry(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('action_calls')
    .set({ next_attempt_at: tx.now })
    .where('next_attempt_at', '>', tx.now)
    .execute();
}
