import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { type Db, sql } from '#storage/tx.ts';
import { deletedEvents } from './retention.ts';
import { type EventLimits, visibleEvents } from './visible-events.ts';

/** A range of the event log: all events, or those of a project or flag, between two ids. */
export interface Stretch {
  readonly project?: string | undefined;
  readonly feature?: string | undefined;
  /** Exclusive limits of the ids. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

type Source = Pick<Database, 'db' | 'beginSearch'>;

/**
 * Rows of the first page. Small for a short time to the first byte, and enough for the default limit of the instance's
 * events.
 */
const firstPage = 100;
const maxPage = 500;
/** The approximate size of a page in characters. */
const pageWeight = 256 * 1024;

/**
 * Reads events newest first; oldest first when `after` is given, so that a reader who follows the log by `after` and a
 * limit skips no event. Reads in pages, so that a million events need the memory of one page. All pages but the first
 * are read on the connection of searches, so that a long list does not delay other requests.
 */
export async function* pagesOfEvents(source: Source, stretch: Stretch, limit: number): AsyncGenerator<EventRow[]> {
  const order = stretch.after === undefined ? 'desc' : 'asc';
  let rest = stretch;
  let left = limit;
  let size = firstPage;
  const search = source.beginSearch();
  for (let db = source.db; left > 0; db = search.db) {
    const limit = Math.min(size, left);
    const page = await readEvents(db, rest, order, limit);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    left -= page.length;
    const last = page.at(-1)?.id;
    rest = order === 'asc' ? { ...rest, after: last } : { ...rest, before: last };
    size = nextPage(page);
  }
}

/** Reads the events of these ids, in their order, in pages as in {@link pagesOfEvents}. */
export async function* eventsById(source: Source, ids: readonly number[]): AsyncGenerator<EventRow[]> {
  const { db } = source.beginSearch();
  let size = firstPage;
  for (let at = 0; at < ids.length; ) {
    const pageIds = ids.slice(at, at + size);
    const page = await db.selectFrom('events').selectAll().where('id', 'in', pageIds).orderBy('id', 'desc').execute();
    yield page;
    at += pageIds.length;
    size = nextPage(page);
  }
}

function nextPage(page: readonly EventRow[]): number {
  const weight = page.reduce((sum, row) => sum + (row.data?.length ?? 0) + (row.pre_data?.length ?? 0) + 500, 0);
  return Math.max(1, Math.min(maxPage, Math.floor((pageWeight * page.length) / Math.max(1, weight))));
}

function readEvents(db: Db, stretch: Stretch, order: 'asc' | 'desc', limit: number): Promise<EventRow[]> {
  let query = db.selectFrom('events').selectAll().orderBy('id', order).limit(limit);
  if (stretch.project !== undefined) query = query.where('project', '=', stretch.project);
  if (stretch.feature !== undefined) query = query.where('feature_name', '=', stretch.feature);
  if (stretch.after !== undefined) query = query.where('id', '>', stretch.after);
  if (stretch.before !== undefined) query = query.where('id', '<', stretch.before);
  return query.execute();
}

/** Returns the number of events of the instance, a project or a flag that are not deleted, from stored counters. */
export async function totalEvents(db: Db, scope?: 'project' | 'feature', name?: string): Promise<number> {
  if (scope === undefined || name === undefined) {
    const row = await db.selectFrom('counters').select('value').where('name', '=', 'event').executeTakeFirstOrThrow();
    return row.value - (await storedTotal(db, deletedEvents.scope, deletedEvents.name));
  }
  return storedTotal(db, scope, name);
}

async function storedTotal(db: Db, scope: 'project' | 'feature' | 'instance', name: string): Promise<number> {
  const row = await db
    .selectFrom('event_totals')
    .select('total')
    .where('scope', '=', scope)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.total ?? 0;
}

/**
 * Returns the accounts that caused events which a caller may see, with their current name, or the name in their last
 * event.
 */
export async function listCreators(db: Database['db'], limits: EventLimits): Promise<{ id: number; name: string }[]> {
  // A loose index scan: steps from one user id to the next instead of reading all events of each. The last event is
  // selected by a range of one id, because with an equality PostgreSQL may scan the whole log backwards.
  const conditions = [sql<boolean>`1 = 1`, ...visibleEvents(limits)];
  const result = await sql<{ id: number; name: string }>`
    with recursive creators (id) as (
      select min(created_by_user_id) from events
      union all
      select (select min(created_by_user_id) from events where created_by_user_id > creators.id)
      from creators where creators.id is not null
    )
    select creators.id as id, coalesce(
      (select users.name from users where users.id = creators.id),
      (select created_by from events where created_by_user_id >= creators.id and created_by_user_id <= creators.id
        order by created_by_user_id desc, events.id desc limit 1)
    ) as name
    from creators where creators.id is not null and exists (select 1 from events
      where events.created_by_user_id = creators.id and ${sql.join(conditions, sql` and `)})
    order by creators.id`.execute(db);
  return result.rows;
}

/** Returns the ids of the newest event and the newest signal. */
export async function newestNumbers(db: Db): Promise<{ eventId: number; signalId: number }> {
  const rows = await db
    .selectFrom('counters')
    .select(['name', 'value'])
    .where('name', 'in', ['event', 'signal'])
    .execute();
  const numbers = new Map(rows.map(({ name, value }) => [name, value]));
  return { eventId: numbers.get('event') ?? 0, signalId: numbers.get('signal') ?? 0 };
}
