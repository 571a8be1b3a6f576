import type { EventRow } from '#storage/tables/events.ts';
import { type Db, sql } from '#storage/tx.ts';
import { conditionsOf, type FeedFilter } from './filter.ts';

/** A part of the log: its matching events, oldest first. */
export interface Part {
  readonly rows: readonly EventRow[];
  /** All events up to this id have been examined. */
  readonly reached: number;
}

const firstRows = 100;
const maxRows = 500;
/** The approximate size of a part in characters. */
const partSize = 256 * 1024;

/**
 * The number of ids that the first query of a filtered read examines, and the factor by which it grows after fast
 * queries.
 */
const firstWindow = 2000;
const growth = 4;
/** A query that takes longer makes the next window smaller. */
const slowMs = 10;

/**
 * Reads the events after the id `after` up to the id `end`, oldest first, in parts that fit into memory. With a filter,
 * each query examines a window of ids, so that a filter without matches cannot make a query long; the part may be empty
 * then. The windows grow while an index makes the queries fast.
 */
export async function* readForward(db: Db, filter: FeedFilter, after: number, end: number): AsyncGenerator<Part> {
  const conditions = conditionsOf(filter);
  let size = firstRows;
  let window = conditions.length === 0 ? Number.POSITIVE_INFINITY : firstWindow;
  for (let reached = after; reached < end; ) {
    const until = Math.min(end, reached + window);
    const began = performance.now();
    const rows = await db
      .selectFrom('events')
      .selectAll()
      .where('id', '>', reached)
      .where('id', '<=', until)
      .$if(conditions.length > 0, (query) => query.where(sql<boolean>`${sql.join(conditions, sql` and `)}`))
      .orderBy('id')
      .limit(size)
      .execute();
    const tookMs = performance.now() - began;
    reached = rows.length === size ? (rows.at(-1)?.id ?? until) : until;
    yield { rows, reached };
    size = nextSize(rows, size);
    window = tookMs > slowMs ? Math.max(firstWindow, window / growth) : window * growth;
  }
}

/** Returns the number of rows for a part of about {@link partSize} characters, estimated from `rows`. */
function nextSize(rows: readonly EventRow[], size: number): number {
  if (rows.length === 0) return size;
  const characters = rows.reduce((sum, { data, pre_data }) => sum + (data?.length ?? 0) + (pre_data?.length ?? 0), 0);
  const perRow = 500 + characters / rows.length;
  return Math.max(1, Math.min(maxRows, Math.floor(partSize / perRow)));
}
