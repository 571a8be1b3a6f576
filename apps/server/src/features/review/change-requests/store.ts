import { changeRequestStates } from '@yardarm/contract';
import { z } from 'zod';
import type { Actor } from '#kernel/actor.ts';
import { jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db } from '#storage/tx.ts';
import type { Change, Operation } from './change.ts';
import type { ChangeRequest, Schedule, State } from './request.ts';

const authorColumns = ['created_by_user_id', 'created_by', 'created_at'] as const;
const columns = [
  'id',
  'project',
  'environment',
  'state',
  'title',
  'timestamps',
  'scheduled_at',
  'schedule_status',
  'schedule_reason',
  'scheduled_by_user_id',
  'scheduled_by',
  ...authorColumns,
] as const;

const recorded = z.union([z.null(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** The time at which each state was entered. */
export const timestampsColumn = jsonColumn<ChangeRequest['timestamps']>(
  'change_requests.timestamps',
  z.partialRecord(z.enum(changeRequestStates), z.number()),
);

/**
 * The payload of an operation, which the contract has checked. It is not checked against the contract again: a request
 * must be listed even when a later version no longer accepts its changes.
 */
export const payloadColumn = jsonColumn('change_request_changes.payload', recorded);

/** The object before the change. */
export const baseColumn = jsonColumn('change_request_changes.base', recorded);

type RequestRow = Pick<Row<'change_requests'>, (typeof columns)[number]>;

/** Returns the requests with their changes, reviews, comments and approvers, newest first. Always five statements. */
export async function loadRequests(db: Db, ids: readonly number[]): Promise<ChangeRequest[]> {
  if (ids.length === 0) return [];
  const [rows, changes, reviews, comments, approvers] = await Promise.all([
    db.selectFrom('change_requests').select(columns).where('id', 'in', ids).orderBy('id', 'desc').execute(),
    db
      .selectFrom('change_request_changes')
      .select(['id', 'request_id', 'action', 'feature_name', 'payload', 'base', ...authorColumns])
      .where('request_id', 'in', ids)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('change_request_reviews')
      .select(['request_id', 'approved', ...authorColumns])
      .where('request_id', 'in', ids)
      .orderBy('created_at')
      .orderBy('created_by_user_id')
      .orderBy('created_by')
      .execute(),
    db
      .selectFrom('change_request_comments')
      .select(['id', 'request_id', 'text', ...authorColumns])
      .where('request_id', 'in', ids)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('change_request_approvers')
      .select(['request_id', 'user_id'])
      .where('request_id', 'in', ids)
      .orderBy('user_id')
      .execute(),
  ]);
  const changesOf = Map.groupBy(changes.map(toChange), ({ requestId }) => requestId);
  const reviewsOf = Map.groupBy(reviews, (row) => row.request_id);
  const commentsOf = Map.groupBy(comments, (row) => row.request_id);
  const approversOf = Map.groupBy(approvers, (row) => row.request_id);
  return rows.map((row) => ({
    ...toRequest(row),
    changes: changesOf.get(row.id) ?? [],
    reviews: (reviewsOf.get(row.id) ?? []).map((review) => ({
      approved: review.approved === 1,
      ...authorship(review),
    })),
    comments: (commentsOf.get(row.id) ?? []).map((comment) => ({
      id: comment.id,
      text: comment.text,
      ...authorship(comment),
    })),
    approvers: (approversOf.get(row.id) ?? []).map((approver) => approver.user_id),
  }));
}

/** Returns the project of a request; undefined when the request does not exist. */
export async function projectOf(db: Db, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('change_requests').select('project').where('id', '=', id).executeTakeFirst();
  return row?.project;
}

/**
 * Returns the id of an actor's draft in an environment; each actor has at most one. An account keeps its draft when its
 * name changes.
 */
export async function findDraft(
  db: Db,
  { project, environment, by }: Pick<ChangeRequest, 'project' | 'environment' | 'by'>,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('change_requests')
    .select('id')
    .where('state', '=', 'Draft')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .where('created_by_user_id', '=', by.userId)
    .where((eb) => eb.or([eb('created_by_user_id', '>', 0), eb('created_by', '=', by.name)]))
    .executeTakeFirst();
  return row?.id;
}

/** Returns the ids of the open requests of an author with a title, without drafts and scheduled requests. */
export async function findSent(
  db: Db,
  { project, environment, title, by }: Pick<ChangeRequest, 'project' | 'environment' | 'title' | 'by'>,
): Promise<number[]> {
  const rows = await db
    .selectFrom('change_requests')
    .select('id')
    .where('state', 'in', ['In review', 'Approved'])
    .where('project', '=', project)
    .where('environment', '=', environment)
    .where('title', '=', title)
    .where('created_by_user_id', '=', by.userId)
    .where((eb) => eb.or([eb('created_by_user_id', '>', 0), eb('created_by', '=', by.name)]))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

const selectScheduled = prepared().query((db) =>
  db.selectFrom('change_requests').select('id').where('schedule_status', '=', 'pending'),
);

/** Returns the ids of requests with a pending schedule. Runs in every transaction that changes a flag. */
export async function scheduledIds(db: Db): Promise<number[]> {
  return (await selectScheduled(db, {})).map(({ id }) => id);
}

/** A request with a pending schedule. */
export interface Pending {
  readonly id: number;
  /** When it is due, in milliseconds UTC. */
  readonly at: number;
}

/** Returns the requests with a pending schedule, in the order in which they are due. */
export async function listPending(db: Db): Promise<Pending[]> {
  const rows = await db
    .selectFrom('change_requests')
    .select(['id', 'scheduled_at'])
    .where('schedule_status', '=', 'pending')
    .where('scheduled_at', 'is not', null)
    .orderBy('scheduled_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, scheduled_at }) => ({ id, at: scheduled_at ?? 0 }));
}

/**
 * Returns the requests that are scheduled to change one of the targets, by target, with one statement. Titles of
 * requests in other projects than `projects` are null.
 */
export async function scheduledFor(
  db: Db,
  targets: readonly string[],
  projects: readonly string[],
): Promise<ReadonlyMap<string, readonly { readonly id: number; readonly title: string | null }[]>> {
  if (targets.length === 0) return new Map();
  const rows = await db
    .selectFrom('change_request_changes as c')
    .innerJoin('change_requests as r', 'r.id', 'c.request_id')
    .where('r.schedule_status', '=', 'pending')
    .where('c.target', 'in', targets)
    .select(['c.target', 'r.id', 'r.title', 'r.project'])
    .distinct()
    .orderBy('r.id')
    .execute();
  const visible = rows.map(({ project, title, ...row }) => ({
    ...row,
    title: projects.includes(project) ? title : null,
  }));
  return Map.groupBy(visible, ({ target }) => target);
}

function actorOf(row: Pick<Row<'change_requests'>, 'created_by_user_id' | 'created_by'>): Actor {
  return { userId: row.created_by_user_id, name: row.created_by };
}

function authorship(row: Pick<Row<'change_requests'>, (typeof authorColumns)[number]>) {
  return { by: actorOf(row), at: row.created_at };
}

function toRequest(row: RequestRow): Omit<ChangeRequest, 'changes' | 'reviews' | 'comments' | 'approvers'> {
  return {
    id: row.id,
    project: row.project,
    environment: row.environment,
    state: row.state as State,
    title: row.title,
    ...authorship(row),
    schedule: toSchedule(row),
    timestamps: timestampsColumn.parse(row.timestamps, row.id),
  };
}

function toSchedule(row: RequestRow): Schedule | null {
  if (row.scheduled_at === null) return null;
  return {
    at: row.scheduled_at,
    by: { userId: row.scheduled_by_user_id ?? 0, name: row.scheduled_by ?? '' },
    status: row.schedule_status as Schedule['status'],
    reason: row.schedule_reason,
  };
}

function toChange(row: Omit<Row<'change_request_changes'>, 'target'>): Change {
  const feature = row.feature_name === null ? {} : { feature: row.feature_name };
  return {
    id: row.id,
    requestId: row.request_id,
    operation: { action: row.action, ...feature, payload: payloadColumn.parse(row.payload, row.id) } as Operation,
    base: row.base,
    ...authorship(row),
  };
}
