import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { prepared } from './prepared-query.ts';
import type { EventRow } from './tables/events.ts';
import type { Tables } from './tables.ts';

/**
 * A position in the event log: the epoch of the log, and the newest event that a reader has seen. The log goes back
 * when its database does (a failover to a copy that lags, a restore), and then writes the same ids again: time and
 * digest tell the event from another one with its id.
 */
export interface LogPosition {
  readonly epoch: string;
  /** The id of the event; 0 before the first. */
  readonly id: number;
  /** The time of the event; null when retention has deleted the event. */
  readonly at: number | null;
  readonly digest: string | null;
}

/** The result of a look at the log. */
export interface Look {
  readonly epoch: string;
  /** The id of the newest event. */
  readonly newest: number;
  /** The value of the counter that the loop probe advances. */
  readonly probe: number;
  /** The event at the known position, as it is now; undefined when there is none. */
  readonly seen: Pick<EventRow, 'created_at' | 'digest'> | undefined;
  /** Events, oldest first. */
  readonly events: readonly EventRow[];
}

const selectNewest = prepared().query((db) =>
  db
    .selectFrom('counters as c')
    .leftJoin('events as e', 'e.id', 'c.value')
    .where('c.name', '=', 'event')
    .select(['c.value', 'c.epoch', 'e.created_at', 'e.digest']),
);

/** Returns the position of the newest event. */
export async function newestPosition(db: Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn'>): Promise<LogPosition> {
  const [row] = await selectNewest(db, {});
  if (row === undefined) throw new Error('The counter of events is missing. Restore the database from a backup.');
  return { epoch: row.epoch ?? '', id: row.value, at: row.created_at, digest: row.digest };
}

/**
 * Reads up to `limit` events after the id `after`, and what tells whether the log still leads through `known`, in one
 * statement.
 */
export async function lookAfter(
  db: Kysely<Tables>,
  { id: known }: LogPosition,
  after: number,
  limit: number,
): Promise<Look> {
  const rows = await db
    .selectFrom('counters as c')
    .innerJoin('counters as p', (join) => join.on('p.name', '=', 'probe'))
    .leftJoin('events as s', (join) => join.on('s.id', '=', known))
    .leftJoin(
      (from) =>
        from.selectFrom('events').selectAll().where('events.id', '>', after).orderBy('events.id').limit(limit).as('e'),
      (join) => join.onTrue(),
    )
    .where('c.name', '=', 'event')
    .selectAll('e')
    .select(['c.epoch as log_epoch', 'c.value as log_newest', 'p.value as log_probe'])
    .select(['s.created_at as seen_at', 's.digest as seen_digest'])
    .orderBy('e.id')
    .execute();
  const [first] = rows;
  if (first === undefined) throw new Error('The counter of events is missing. Restore the database from a backup.');
  return {
    epoch: first.log_epoch ?? '',
    newest: first.log_newest,
    probe: first.log_probe,
    seen: first.seen_at === null ? undefined : { created_at: first.seen_at, digest: first.seen_digest },
    events:
      first.id === null
        ? []
        : rows.map(({ log_epoch, log_newest, log_probe, seen_at, seen_digest, ...event }) => event as EventRow),
  };
}

/**
 * Returns whether the log still leads through `position`. An event that is gone was deleted by retention, unless the
 * log is shorter now.
 */
export function leadsThrough({ epoch, newest, seen }: Look, position: LogPosition): boolean {
  if (epoch !== position.epoch || newest < position.id) return false;
  return seen === undefined || (seen.created_at === position.at && seen.digest === position.digest);
}

/** Returns the position of an event of the epoch `epoch`. */
export function positionOf({ id, created_at: at, digest }: EventRow, epoch: string): LogPosition {
  return { epoch, id, at, digest };
}

export function isSamePosition(one: LogPosition, other: LogPosition): boolean {
  return one.epoch === other.epoch && one.id === other.id && one.at === other.at && one.digest === other.digest;
}

const timeDigits = 12;

/**
 * Returns a new epoch, greater than those `before` whatever the clock says: it begins with its time, as migration 0050
 * writes it.
 */
export function nextEpoch(now: number, before: readonly string[]): string {
  const times = before.map((epoch) => Number.parseInt(epoch.slice(0, timeDigits), 16) || 0);
  const time = Math.max(now, ...times.map((earlier) => earlier + 1));
  return time.toString(16).padStart(timeDigits, '0') + randomBytes(4).toString('hex');
}
