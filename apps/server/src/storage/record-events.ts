import { sql } from 'kysely';
import { newId } from '../kernel/ids.ts';
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
 * a group (unleash-facts 3.1), the one it joined if it did; a change within another has a group of its own.
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

/** What is written of events, but for what their place in the log tells. Throws when what they hold cannot be JSON. */
export function eventRows(recorded: readonly Recorded[]): UnnumberedRow[] {
  const groups = groupsOf(recorded);
  return recorded.map((one) => toRow(one, groups.get(one.of) ?? noGroup));
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
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** Most totals that one statement moves: databases take only so many parameters. */
const chunk = 1000;

/** Totals are kept, not counted: `totalEvents` of a project with a million events costs one row. */
async function addToTotals(inside: Inside, rows: readonly UnnumberedRow[]): Promise<void> {
  const counts = new Map<string, { scope: 'project' | 'feature'; name: string; total: number }>();
  const add = (scope: 'project' | 'feature', name: string | null) => {
    if (name === null) return;
    const entry = counts.get(`${scope} ${name}`) ?? { scope, name, total: 0 };
    entry.total++;
    counts.set(`${scope} ${name}`, entry);
  };
  for (const row of rows) {
    add('project', row.project);
    add('feature', row.feature_name);
  }
  const all = [...counts.values()];
  const starts = Array.from({ length: Math.ceil(all.length / chunk) }, (_, index) => index * chunk);
  await Promise.all(
    starts.map((from) => {
      const part = all.slice(from, from + chunk);
      return insertTotals(inside, {
        scopes: part.map(({ scope }) => scope),
        names: part.map(({ name }) => name),
        totals: part.map(({ total }) => total),
      });
    }),
  );
}

type Totals = {
  readonly scopes: readonly ('project' | 'feature')[];
  readonly names: readonly string[];
  readonly totals: readonly number[];
};

const insertTotals = compiled<Totals>().change((db, { scopes, names, totals }) =>
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
