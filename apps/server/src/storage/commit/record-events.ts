import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { mapYielding, yieldToEventLoop } from '#kernel/event-loop.ts';
import { newId } from '#kernel/ids.ts';
import { JsonText } from '#kernel/json-text.ts';
import { itemAt } from '#kernel/lists.ts';
import type { Recorded } from '../change-feed.ts';
import type { Appended, BulkTable, Transaction } from '../engine.ts';
import { newestPosition } from '../log-position.ts';
import { prepared } from '../prepared-query.ts';
import type { EventRow } from '../tables/events.ts';
import type { PendingWrites, RecordedEvent } from './open-tx.ts';

const table: BulkTable = {
  table: 'events',
  columns: [
    ['id', 'integer'],
    ['created_at', 'integer'],
    ['type', 'text'],
    ['created_by', 'text'],
    ['created_by_user_id', 'integer'],
    ['data', 'text'],
    ['pre_data', 'text'],
    ['tags', 'text'],
    ['feature_name', 'text'],
    ['project', 'text'],
    ['environment', 'text'],
    ['group_type', 'text'],
    ['group_id', 'text'],
    ['request_id', 'text'],
    ['signal_id', 'integer'],
    ['run_id', 'integer'],
    ['origin', 'text'],
    ['outcome', 'text'],
    ['reason', 'text'],
    ['digest', 'text'],
  ],
};

/** The highest number of events that are inserted at once, which takes a few milliseconds of the event loop. */
const eventsPerInsert = 2000;

/**
 * Inserts the events of a change. Their ids come from a counter whose row stays locked until the commit, so ids have no
 * gaps and grow in commit order: a reader that has seen event n has seen all events before it. Many events are inserted
 * in parts; other requests can run between two parts. Returns the events with the newest event before them.
 */
export async function recordEvents(
  transaction: Transaction,
  rows: readonly UnnumberedRow[],
  now: number,
): Promise<Recorded> {
  const events: EventRow[] = [];
  // Sent before the insert, in one round trip with it.
  const before = newestPosition(transaction.db);
  for (let from = 0; from < rows.length; from += eventsPerInsert) {
    if (from > 0) await yieldToEventLoop();
    const part = rows.slice(from, from + eventsPerInsert);
    const [{ first, at }] = await Promise.all([insertEvents(transaction, part, now), before]);
    for (const [index, row] of part.entries()) events.push({ id: first + index, created_at: at, ...row });
  }
  return { before: await before, events };
}

/**
 * Returns the rows of events, without their ids and times. Events of one change share a group (docs/spec#event-fields):
 * the group that the change joined, or a new one. A nested change has its own group. Rejects when the data of an event
 * cannot be serialized as JSON.
 */
export async function eventRows(recorded: readonly RecordedEvent[]): Promise<UnnumberedRow[]> {
  const groups = groupsOf(recorded);
  return mapYielding(recorded, (event) => toRow(event, groups.get(event.change) ?? noGroup));
}

type UnnumberedRow = Omit<EventRow, 'id' | 'created_at'>;

async function insertEvents(transaction: Transaction, rows: readonly UnnumberedRow[], now: number): Promise<Appended> {
  const columns = table.columns.slice(2).map(([name]) => name as keyof UnnumberedRow);
  const values = rows.map((row) => columns.map((name) => row[name]));
  const [appended] = await Promise.all([
    transaction.append('event', table, values, now),
    addToTotals(transaction, rows),
    addToDays(transaction, rows),
  ]);
  return appended;
}

type Group = Pick<EventRow, 'group_type' | 'group_id'>;
const noGroup: Group = { group_type: null, group_id: null };

/** Returns the group of each change that has one. */
function groupsOf(recorded: readonly RecordedEvent[]): Map<PendingWrites, Group> {
  const groups = new Map<PendingWrites, Group>();
  for (const [change, events] of Map.groupBy(recorded, (event) => event.change)) {
    if (change.group !== null) groups.set(change, { group_type: change.group.type, group_id: change.group.id });
    else if (events.length > 1) groups.set(change, { group_type: 'transaction', group_id: newId() });
  }
  return groups;
}

function toRow({ event, change }: RecordedEvent, group: Group): UnnumberedRow {
  const { actor, cause, origin, reason, breakGlassReason } = change.by;
  const row = {
    type: event.type,
    created_by: actor.name,
    created_by_user_id: actor.userId,
    data: asText(event.data),
    pre_data: asText(event.preData),
    tags: JSON.stringify(event.tags ?? []),
    feature_name: event.featureName ?? null,
    project: event.project ?? null,
    environment: event.environment ?? null,
    ...group,
    request_id: cause.requestId ?? null,
    signal_id: cause.signalId ?? null,
    run_id: cause.runId ?? null,
    origin: asText(origin),
    outcome: event.outcome ?? null,
    reason: reason ?? breakGlassReason ?? null,
  };
  return { ...row, digest: digestOf(row) };
}

/** Returns the digest of an event, by which the change feed tells the event from another one with its id. */
function digestOf(row: Omit<UnnumberedRow, 'digest'>): string {
  return hash('sha256', JSON.stringify(row), 'base64url').slice(0, 22);
}

function asText(value: unknown): string | null {
  if (value instanceof JsonText) return value.text;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** The highest number of sums per statement: databases limit the number of parameters. */
const sumsPerStatement = 1000;

/** A number of events to add to the sum of a project, flag or environment. */
interface Sum<Scope extends string> {
  readonly scope: Scope;
  readonly name: string;
  readonly total: number;
}

/** Counts events by the values of the given columns. */
function sumsOf<Scope extends string>(
  rows: readonly UnnumberedRow[],
  columns: Readonly<Record<Scope, 'project' | 'feature_name' | 'environment'>>,
): Sum<Scope>[] {
  return (Object.entries(columns) as [Scope, 'project'][]).flatMap(([scope, column]) => {
    const counts = new Map<string, number>();
    for (const { [column]: name } of rows) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].map(([name, total]) => ({ scope, name, total }));
  });
}

/**
 * Adds to the totals of projects and flags, so that the total of a project with a million events is read from one row.
 */
function addToTotals(transaction: Transaction, rows: readonly UnnumberedRow[]): Promise<void> {
  const sums = sumsOf(rows, { project: 'project', feature: 'feature_name' });
  return inChunks(sums, (chunk) => insertTotals(transaction, chunk));
}

/**
 * Adds to the totals of the day. Must be sent after the counter was incremented: `moved_at` of the counter determines
 * the day.
 */
function addToDays(transaction: Transaction, rows: readonly UnnumberedRow[]): Promise<void> {
  const sums = sumsOf(rows, { project: 'project', environment: 'environment' });
  return inChunks(sums, (chunk) => insertDays(transaction, chunk));
}

type Sums<Scope> = {
  readonly scopes: readonly Scope[];
  readonly names: readonly string[];
  readonly totals: readonly number[];
};

async function inChunks<Scope extends string>(
  sums: readonly Sum<Scope>[],
  insert: (sums: Sums<Scope>) => Promise<void>,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(sums.length / sumsPerStatement) }, (_, n) => n * sumsPerStatement);
  await Promise.all(
    starts.map((from) => {
      const chunk = sums.slice(from, from + sumsPerStatement);
      return insert({
        scopes: chunk.map(({ scope }) => scope),
        names: chunk.map(({ name }) => name),
        totals: chunk.map(({ total }) => total),
      });
    }),
  );
}

const insertTotals = prepared<Sums<'project' | 'feature'>>().change((db, { scopes, names, totals }) =>
  db
    .insertInto('event_totals')
    .columns(['scope', 'name', 'total'])
    .values(
      scopes.map((scope, index) => ({
        scope,
        name: itemAt(names, index),
        total: itemAt(totals, index),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['scope', 'name']).doUpdateSet({ total: sql`event_totals.total + excluded.total` }),
    ),
);

const dayMs = 24 * 60 * 60 * 1000;
const dayOfCounter = sql<number>`(select moved_at - moved_at % ${sql.lit(dayMs)} from counters where name = 'event')`;

const insertDays = prepared<Sums<'project' | 'environment'>>().change((db, { scopes, names, totals }) =>
  db
    .insertInto('event_days')
    .columns(['scope', 'name', 'day', 'total'])
    .values(
      scopes.map((scope, index) => ({
        scope,
        name: itemAt(names, index),
        day: dayOfCounter,
        total: itemAt(totals, index),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['scope', 'name', 'day']).doUpdateSet({ total: sql`event_days.total + excluded.total` }),
    ),
);
