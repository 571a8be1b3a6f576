import { startTaskScheduler, type TaskScheduler } from '../../jobs/scheduler.ts';
import { systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';
import { permissionCheckOf } from './actor-permissions.ts';
import type { ChangeLimits } from './apply.ts';
import { type ChangeRequest, recordOf, titleOf } from './request.ts';
import { applyRequest, requireNoConflict } from './state-commands.ts';
import { loadRequests, nextScheduled } from './store.ts';
import { blockingReason, suspend } from './sync-open-requests.ts';
import * as store from './write-store.ts';

/**
 * Applies scheduled change requests when they are due. Data, events and state commit in one transaction. If several
 * processes try, the first one applies the request, and the others find that it is no longer due.
 */
export function startScheduler(
  database: Database,
  clock: Clock,
  limits: ChangeLimits,
  onError: (error: unknown) => void,
): Promise<TaskScheduler> {
  return startTaskScheduler({
    database,
    clock,
    next: () => nextScheduled(database.db),
    run: ({ id }) => applyDue(database, clock, limits, id),
    sets: ({ type }) => type === 'change-request-scheduled',
    onError,
  });
}

/** Applies a due request, or stores why it failed. Rejects when the attempt has to be repeated. */
async function applyDue(database: Database, clock: Clock, limits: ChangeLimits, id: number): Promise<void> {
  const [request] = await loadRequests(database.db, [id]);
  if (request?.schedule == null) return;
  const actor = request.schedule.by;
  const can = (await permissionCheckOf({ db: database.db, now: clock.now() }, actor)) ?? (() => false);
  try {
    await database.write({ actor, cause: {}, can, reason: titleOf(request) }, async (tx) => {
      const due = await findDue(tx, id);
      if (due === undefined) return;
      const reason = await blockingReason(tx, due, limits.review);
      if (reason !== undefined) return suspend(tx, due, reason);
      await requireNoConflict(tx, due);
      await applyRequest(tx, limits, due);
      recordOf(tx, due, 'change-request-scheduled-application-success');
    });
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) throw error;
    const reason = error instanceof Problem ? error.message : 'An unexpected error occurred. See the server log.';
    await database.write({ actor: systemActor, cause: {} }, async (tx) => {
      const due = await findDue(tx, id);
      if (due === undefined) return;
      await store.endSchedule(tx, id, 'failed', reason);
      recordOf(tx, due, 'change-request-scheduled-application-failure', { outcome: 'failure', data: { reason } });
    });
    if (!(error instanceof Problem)) throw error;
  }
}

/** Returns the request if it is still due: not applied by another process, rescheduled or cancelled meanwhile. */
async function findDue(tx: Tx, id: number): Promise<ChangeRequest | undefined> {
  const [request] = await loadRequests(tx.db, [id]);
  const { schedule } = request ?? {};
  return schedule?.status === 'pending' && schedule.at <= tx.now ? request : undefined;
}
