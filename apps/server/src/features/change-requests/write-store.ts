import type { Tx } from '../../storage/tx.ts';
import { type Doing, flagOf, targetOf } from './change.ts';
import type { ChangeRequest, Schedule, State } from './request.ts';

const doneNow = (tx: Tx) => ({
  created_by_user_id: tx.by.actor.userId,
  created_by: tx.by.actor.name,
  created_at: tx.now,
});

/** Inserts an empty draft of whoever makes the change, and answers its id. */
export async function insertDraft(tx: Tx, project: string, environment: string): Promise<number> {
  const { id } = await tx.db
    .insertInto('change_requests')
    .values({
      project,
      environment,
      state: 'Draft',
      title: null,
      timestamps: JSON.stringify({ Draft: tx.now }),
      scheduled_at: null,
      schedule_status: null,
      schedule_reason: null,
      scheduled_by_user_id: null,
      scheduled_by: null,
      ...doneNow(tx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Puts a request into a state, with a schedule or without one. */
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
      timestamps: JSON.stringify({ ...timestamps, [state]: tx.now }),
      scheduled_at: schedule?.at ?? null,
      schedule_status: schedule?.status ?? null,
      schedule_reason: schedule?.reason ?? null,
      scheduled_by_user_id: schedule?.by.userId ?? null,
      scheduled_by: schedule?.by.name ?? null,
    })
    .where('id', '=', id)
    .execute();
}

/** Says how the schedule of a request ended, which keeps its place among the scheduled. */
export async function endSchedule(tx: Tx, id: number, status: 'failed' | 'suspended', reason: string): Promise<void> {
  await tx.db
    .updateTable('change_requests')
    .set({ schedule_status: status, schedule_reason: reason })
    .where('id', '=', id)
    .execute();
}

export async function putTitle(tx: Tx, id: number, title: string): Promise<void> {
  await tx.db.updateTable('change_requests').set({ title }).where('id', '=', id).execute();
}

/** Deletes a request with all that belongs to it. */
export async function deleteRequest(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('change_requests').where('id', '=', id).execute();
}

export async function insertChange(tx: Tx, requestId: number, doing: Doing, base: string | null): Promise<number> {
  const { id } = await tx.db
    .insertInto('change_request_changes')
    .values({
      request_id: requestId,
      action: doing.action,
      feature_name: flagOf(doing) ?? null,
      target: targetOf(doing),
      payload: JSON.stringify(doing.payload ?? null),
      base,
      ...doneNow(tx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateChange(tx: Tx, id: number, doing: Doing, base: string | null): Promise<void> {
  await tx.db
    .updateTable('change_request_changes')
    .set({ action: doing.action, target: targetOf(doing), payload: JSON.stringify(doing.payload ?? null), base })
    .where('id', '=', id)
    .execute();
}

export async function deleteChange(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('change_request_changes').where('id', '=', id).execute();
}

/** Notes what whoever makes the change thinks of a request, over what they thought before. */
export async function putReview(tx: Tx, requestId: number, approved: boolean): Promise<void> {
  const values = { approved: Number(approved), created_at: tx.now };
  await tx.db
    .insertInto('change_request_reviews')
    .values({ request_id: requestId, ...doneNow(tx), ...values })
    .onConflict((conflict) => conflict.columns(['request_id', 'created_by_user_id', 'created_by']).doUpdateSet(values))
    .execute();
}

export async function deleteReviews(tx: Tx, requestId: number): Promise<void> {
  await tx.db.deleteFrom('change_request_reviews').where('request_id', '=', requestId).execute();
}

export async function insertComment(tx: Tx, requestId: number, text: string): Promise<void> {
  await tx.db
    .insertInto('change_request_comments')
    .values({ request_id: requestId, text, ...doneNow(tx) })
    .execute();
}

/** Sets who is asked to approve a request. */
export async function putApprovers(tx: Tx, requestId: number, userIds: readonly number[]): Promise<void> {
  await tx.db.deleteFrom('change_request_approvers').where('request_id', '=', requestId).execute();
  if (userIds.length === 0) return;
  await tx.db
    .insertInto('change_request_approvers')
    .values(userIds.map((userId) => ({ request_id: requestId, user_id: userId })))
    .execute();
}
