import { type Scheduler, startScheduler } from '../../jobs/scheduler.ts';
import { systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';
import { canOfActor } from './acting.ts';
import type { ChangeLimits } from './apply.ts';
import { suspend, whyNot } from './following.ts';
import { type ChangeRequest, recordOf } from './request.ts';
import { applyRequest, requireNoConflict } from './state-commands.ts';
import { loadRequests, nextScheduled } from './store.ts';
import * as store from './write-store.ts';

/**
 * Applies change requests at the time they are scheduled for: effect, events and state in one change, by whichever process
 * is first.
 */
export function startSchedules(
  database: Database,
  clock: Clock,
  limits: ChangeLimits,
  onError: (error: unknown) => void,
): Promise<Scheduler> {
  return startScheduler({
    database,
    clock,
    next: () => nextScheduled(database.db),
    run: ({ id }) => runOne(database, limits, id),
    sets: ({ type }) => type === 'change-request-scheduled',
    onError,
  });
}

/** Applies a request that is due, or notes why it cannot be. Rejects when it is to be tried again. */
async function runOne(database: Database, limits: ChangeLimits, id: number): Promise<void> {
  const [request] = await loadRequests(database.db, [id]);
  if (request?.schedule == null) return;
  const actor = request.schedule.by;
  const can = (await canOfActor(database.db, actor)) ?? (() => false);
  try {
    await database.write({ actor, cause: {}, can }, async (tx) => {
      const due = await stillDue(tx, id);
      if (due === undefined) return;
      const reason = await whyNot(tx.db, due);
      if (reason !== undefined) return suspend(tx, due, reason);
      await requireNoConflict(tx, due);
      await applyRequest(tx, limits, due);
      recordOf(tx, due, 'change-request-scheduled-application-success');
    });
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) throw error;
    const reason =
      error instanceof Problem ? error.message : 'It failed for a reason that the log of the server tells.';
    await database.write({ actor: systemActor, cause: {} }, async (tx) => {
      const due = await stillDue(tx, id);
      if (due === undefined) return;
      await store.endSchedule(tx, id, 'failed', reason);
      recordOf(tx, due, 'change-request-scheduled-application-failure', { data: { reason } });
    });
    if (!(error instanceof Problem)) throw error;
  }
}

/** The request, unless another process has dealt with it, or somebody has thought better of it. */
async function stillDue(tx: Tx, id: number): Promise<ChangeRequest | undefined> {
  const [request] = await loadRequests(tx.db, [id]);
  const { schedule } = request ?? {};
  return schedule?.status === 'pending' && schedule.at <= tx.now ? request : undefined;
}
