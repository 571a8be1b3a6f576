import { sql } from 'kysely';
import { newId } from '../kernel/ids.ts';
import { JsonText } from '../kernel/json-text.ts';
import { mapYielding, yieldToEventLoop } from '../kernel/event-loop.ts';
import { compiled, type Value } from './compiled.ts';
import type { Appended, BulkTable, Inside, Transaction } from './engine/engine.ts';
import type { Shared } from './engine/together.ts';
import type { EventRow } from './tables/events.ts';
import type { Recorded, Requested, Tx } from './tx.ts';

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
  ],
};

/**
 * Writes what a change recorded, as its last statements: ids come from the locked counter, so they are gapless
 * and grow in commit order, and a reader that has seen id n has seen all before it. Events of one change share
 * a group (docs/spec#event-fields), the one it joined if it did; a change within another has a group of its own.
 */
export async function recordEvents(
  transaction: Transaction,
  tx: Tx,
  rows: readonly UnnumberedRow[],
): Promise<readonly EventRow[]> {
  if (rows.length === 0) return [];
  const { first, at } = await transaction.together(recording, { rows, now: tx.now });
  return rows.map((row, index) => ({ id: first + index, created_at: at, ...row }));
}

/** Most events that are written at once: a few milliseconds of work each for the event loop. */
const mostAtOnce = 2000;

/**
 * Writes all but the last of many events, in parts between which other requests have a turn; answers those and what
 * is left for {@link recordEvents}.
 */
export async function recordInParts(transaction: Transaction, tx: Tx, rows: readonly UnnumberedRow[]) {
  const events: EventRow[] = [];
  let from = 0;
  for (; rows.length - from > mostAtOnce; from += mostAtOnce) {
    const part = await recordEvents(transaction, tx, rows.slice(from, from + mostAtOnce));
    for (const event of part) events.push(event);
    await yieldToEventLoop();
  }
  return { events, left: from === 0 ? rows : rows.slice(from) };
}

/** What is written of events, but for what their place in the log tells. Rejects when what they hold cannot be JSON. */
export async function eventRows(recorded: readonly Recorded[]): Promise<UnnumberedRow[]> {
  const groups = groupsOf(recorded);
  return mapYielding(recorded, (one) => toRow(one, groups.get(one.of) ?? noGroup));
}

type UnnumberedRow = Omit<EventRow, 'id' | 'created_at'>;

/** What changes beside each other recorded is written at once. */
const recording: Shared<{ readonly rows: readonly UnnumberedRow[]; readonly now: number }, Appended, Inside> = {
  ask: async (inside, changes) => {
    const given = table.columns.slice(2).map(([name]) => name as keyof UnnumberedRow);
    const rows = changes.flatMap((change) => change.rows);
    const now = Math.max(...changes.map((change) => change.now));
    // Neither waits for the other's answer: what is locked meanwhile is locked for all changes.
    const [{ first, at }] = await Promise.all([
      inside.append(
        'event',
        table,
        rows.map((row) => given.map((name) => row[name])),
        now,
      ),
      addToTotals(inside, rows),
      addToDays(inside, rows),
    ]);
    let before = 0;
    return changes.map((change) => {
      const appended = { first: first + before, at };
      before += change.rows.length;
      return appended;
    });
  },
};

type Group = Pick<EventRow, 'group_type' | 'group_id'>;
const noGroup: Group = { group_type: null, group_id: null };

/** What the events of each change belong to. */
function groupsOf(recorded: readonly Recorded[]): Map<Requested, Group> {
  const groups = new Map<Requested, Group>();
  for (const [of, events] of Map.groupBy(recorded, (one) => one.of)) {
    if (of.group !== null) groups.set(of, { group_type: of.group.type, group_id: of.group.id });
    else if (events.length > 1) groups.set(of, { group_type: 'transaction', group_id: newId() });
  }
  return groups;
}

function toRow({ event, of }: Recorded, group: Group): UnnumberedRow {
  const { actor, cause } = of.by;
  return {
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
  };
}

function asText(value: unknown): string | null {
  if (value instanceof JsonText) return value.text;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** Most sums that one statement moves: databases take only so many parameters. */
const chunk = 1000;

/** A sum of events that belong to something, by its name. */
interface Sum<Scope extends string> {
  readonly scope: Scope;
  readonly name: string;
  readonly total: number;
}

/** The events of `rows` by what they belong to. */
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

/** Totals are kept, not counted: `totalEvents` of a project with a million events costs one row. */
function addToTotals(inside: Inside, rows: readonly UnnumberedRow[]): Promise<void> {
  return inChunks(sumsOf(rows, { project: 'project', feature: 'feature_name' }), (sums) => insertTotals(inside, sums));
}

/**
 * Adds to the sums of the day, which is the day of the time that the counter has by now: the time of the events. To be sent
 * after the statement that moves the counter.
 */
function addToDays(inside: Inside, rows: readonly UnnumberedRow[]): Promise<void> {
  return inChunks(sumsOf(rows, { project: 'project', environment: 'environment' }), (sums) => insertDays(inside, sums));
}

type Sums<Scope> = {
  readonly scopes: readonly Scope[];
  readonly names: readonly string[];
  readonly totals: readonly number[];
};

async function inChunks<Scope extends string>(
  all: readonly Sum<Scope>[],
  insert: (sums: Sums<Scope>) => Promise<void>,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(all.length / chunk) }, (_, index) => index * chunk);
  await Promise.all(
    starts.map((from) => {
      const part = all.slice(from, from + chunk);
      return insert({
        scopes: part.map(({ scope }) => scope),
        names: part.map(({ name }) => name),
        totals: part.map(({ total }) => total),
      });
    }),
  );
}

const insertTotals = compiled<Sums<'project' | 'feature'>>().change((db, { scopes, names, totals }) =>
  db
    .insertInto('event_totals')
    .columns(['scope', 'name', 'total'])
    .values(
      scopes.map((scope, index) => ({
        scope,
        name: names[index] as Value<string>,
        total: totals[index] as Value<number>,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['scope', 'name']).doUpdateSet({ total: sql`event_totals.total + excluded.total` }),
    ),
);

const dayMs = 24 * 60 * 60 * 1000;
const dayOfCounter = sql<number>`(select moved_at - moved_at % ${sql.lit(dayMs)} from counters where name = 'event')`;

const insertDays = compiled<Sums<'project' | 'environment'>>().change((db, { scopes, names, totals }) =>
  db
    .insertInto('event_days')
    .columns(['scope', 'name', 'day', 'total'])
    .values(
      scopes.map((scope, index) => ({
        scope,
        name: names[index] as Value<string>,
        day: dayOfCounter,
        total: totals[index] as Value<number>,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['scope', 'name', 'day']).doUpdateSet({ total: sql`event_days.total + excluded.total` }),
    ),
);
