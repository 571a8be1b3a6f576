import { readStops } from '#features/flags/automation-stops/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { createTaskScheduler, type TaskScheduler } from '#jobs/scheduler.ts';
import { systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { permissionCheckOf } from './actor-permissions.ts';
import type { ChangeLimits } from './apply.ts';
import { flagOf } from './change.ts';
import { type ChangeRequest, recordOf, titleOf } from './request.ts';
import { applyRequest, requireNoConflict } from './state-commands.ts';
import { listPending, loadRequests, type Pending } from './store.ts';
import { blockingReason, suspend } from './sync-open-requests.ts';
import * as store from './write-store.ts';

/**
 * Applies scheduled change requests when they are due. Data, events and state commit in one transaction. If several
 * processes try, the first one applies the request, and the others find that it is no longer due.
 */
export function createScheduler(
  database: Database,
  clock: Clock,
  limits: ChangeLimits,
  onError: (error: unknown) => void,
): TaskScheduler {
  return createTaskScheduler({
    database,
    clock,
    next: () => nextActing(database.db, clock.now()),
    run: ({ id }) => applyDue(database, clock, limits, id),
    sets: (event) => event.type === 'change-request-scheduled' || touches(event, 'automation-stops'),
    onError,
  });
}

/** Returns the pending request that is due first, without requests that wait for the end of a stop and say so. */
async function nextActing(db: Db, now: number): Promise<Pending | undefined> {
  for (const pending of await listPending(db)) {
    if (pending.at > now) return pending;
    const [request] = await loadRequests(db, [pending.id]);
    const waits = request && (await whyWaiting(db, now, request));
    if (waits === undefined || waits !== request?.schedule?.reason) return pending;
  }
  return undefined;
}

/** Returns why a due request waits: automation is stopped, or a person overrides it on a flag of the request. */
async function whyWaiting(db: Db, now: number, { environment, changes }: ChangeRequest): Promise<string | undefined> {
  const names = [...new Set(changes.map(({ operation }) => flagOf(operation) ?? ''))];
  const stops = await readStops(db, now, names);
  const stopped = names.flatMap(
    (featureName) => stops.of('scheduled change request', { featureName, environment }) ?? [],
  );
  return stopped[0] && `Waits: ${stopped[0].reason}`;
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
      const waits = await whyWaiting(tx.db, tx.now, due);
      if (waits !== undefined) return noteWaiting(tx, due, waits);
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

/** Stores why a due request waits. No event: the event of the stop says so already. */
async function noteWaiting(tx: Tx, { id }: ChangeRequest, reason: string): Promise<void> {
  tx.allowNoEvents('jobs');
  await store.setScheduleReason(tx, id, reason);
}

/** Returns the request if it is still due: not applied by another process, rescheduled or cancelled meanwhile. */
async function findDue(tx: Tx, id: number): Promise<ChangeRequest | undefined> {
  const [request] = await loadRequests(tx.db, [id]);
  const { schedule } = request ?? {};
  return schedule?.status === 'pending' && schedule.at <= tx.now ? request : undefined;
}
