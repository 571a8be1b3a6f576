import type { Tx } from '#storage/tx.ts';
import { flagOf, type Operation, targetOf } from './change.ts';
import type { ChangeRequest, Schedule, State } from './request.ts';
import { payloadColumn, timestampsColumn } from './store.ts';

const authorColumnsNow = (tx: Tx) => ({
  created_by_user_id: tx.by.actor.userId,
  created_by: tx.by.actor.name,
  created_at: tx.now,
});

/** Inserts a request of the current actor without changes and returns its id. */
export async function insertRequest(
  tx: Tx,
  { project, environment, state, title }: Pick<ChangeRequest, 'project' | 'environment' | 'state' | 'title'>,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('change_requests')
    .values({
      project,
      environment,
      state,
      title,
      timestamps: timestampsColumn.write({ Draft: tx.now, [state]: tx.now }),
      scheduled_at: null,
      schedule_status: null,
      schedule_reason: null,
      scheduled_by_user_id: null,
      scheduled_by: null,
      ...authorColumnsNow(tx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores the state of a request. Without `schedule`, an existing schedule is removed. */
export async function putState(
  tx: Tx,
  { id, timestamps }: Pick<ChangeRequest, 'id' | 'timestamps'>,
  state: State,
  schedule: Schedule | null = null,
): Promise<void> {
  await tx.db
    .updateTable('change_requests')
    .set({
      state,
      timestamps: timestampsColumn.write({ ...timestamps, [state]: tx.now }),
      scheduled_at: schedule?.at ?? null,
      schedule_status: schedule?.status ?? null,
      schedule_reason: schedule?.reason ?? null,
      scheduled_by_user_id: schedule?.by.userId ?? null,
      scheduled_by: schedule?.by.name ?? null,
    })
    .where('id', '=', id)
    .execute();
}

/** Marks a schedule as failed or suspended. The request stays in the state "Scheduled". */
export async function endSchedule(tx: Tx, id: number, status: 'failed' | 'suspended', reason: string): Promise<void> {
  await tx.db
    .updateTable('change_requests')
    .set({ schedule_status: status, schedule_reason: reason })
    .where('id', '=', id)
    .execute();
}

/** Stores why a due request waits; its schedule stays pending. */
export async function setScheduleReason(tx: Tx, id: number, reason: string): Promise<void> {
  await tx.db.updateTable('change_requests').set({ schedule_reason: reason }).where('id', '=', id).execute();
}

export async function putTitle(tx: Tx, id: number, title: string): Promise<void> {
  await tx.db.updateTable('change_requests').set({ title }).where('id', '=', id).execute();
}

/** Deletes a request with its changes, reviews, comments and approvers. */
export async function deleteRequest(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('change_requests').where('id', '=', id).execute();
}

export async function insertChange(
  tx: Tx,
  requestId: number,
  operation: Operation,
  base: string | null,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('change_request_changes')
    .values({
      request_id: requestId,
      action: operation.action,
      feature_name: flagOf(operation) ?? null,
      target: targetOf(operation),
      payload: payloadColumn.write(operation.payload ?? null),
      base,
      ...authorColumnsNow(tx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateChange(tx: Tx, id: number, operation: Operation, base: string | null): Promise<void> {
  await tx.db
    .updateTable('change_request_changes')
    .set({
      action: operation.action,
      target: targetOf(operation),
      payload: payloadColumn.write(operation.payload ?? null),
      base,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteChange(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('change_request_changes').where('id', '=', id).execute();
}

/**
 * Stores the review of the current actor. Replaces an earlier review of the same actor, even if the name of the account
 * has changed.
 */
export async function putReview(tx: Tx, requestId: number, approved: boolean): Promise<void> {
  const { userId, name } = tx.by.actor;
  await tx.db
    .deleteFrom('change_request_reviews')
    .where('request_id', '=', requestId)
    .where('created_by_user_id', '=', userId)
    .where((eb) => eb.or([eb('created_by_user_id', '>', 0), eb('created_by', '=', name)]))
    .execute();
  await tx.db
    .insertInto('change_request_reviews')
    .values({ request_id: requestId, ...authorColumnsNow(tx), approved: Number(approved) })
    .execute();
}

export async function deleteReviews(tx: Tx, requestId: number): Promise<void> {
  await tx.db.deleteFrom('change_request_reviews').where('request_id', '=', requestId).execute();
}

export async function insertComment(tx: Tx, requestId: number, text: string): Promise<void> {
  await tx.db
    .insertInto('change_request_comments')
    .values({ request_id: requestId, text, ...authorColumnsNow(tx) })
    .execute();
}

/** Replaces the requested approvers of a change request. */
export async function putApprovers(tx: Tx, requestId: number, userIds: readonly number[]): Promise<void> {
  await tx.db.deleteFrom('change_request_approvers').where('request_id', '=', requestId).execute();
  if (userIds.length === 0) return;
  await tx.db
    .insertInto('change_request_approvers')
    .values(userIds.map((userId) => ({ request_id: requestId, user_id: userId })))
    .execute();
}
