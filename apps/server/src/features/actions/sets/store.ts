import type { Selectable } from 'kysely';
import { openedIn, sealedIn } from '../../../storage/sealed-text.ts';
import type { ActionTables } from '../../../storage/tables/actions.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import { callsOutside } from '../kinds/index.ts';
import type { Filters } from '../matching/index.ts';
import type { Action, ActionSet, Allowed, GuardRules } from './action-set.ts';

/** What a person says of an action. */
export type NewAction = Pick<Action, 'action' | 'sortOrder' | 'executionParams'>;

/** The sets of a project, the oldest first. Two statements. */
export function listSets(db: Db, project: string): Promise<ActionSet[]> {
  return load(db, (query) => query.where('project', '=', project));
}

/** The sets of all projects that are made for signals of an endpoint, enabled or not, the oldest first. Two statements. */
export function setsOf(db: Db, endpointId: number): Promise<ActionSet[]> {
  return load(db, (query) => query.where('endpoint_id', '=', endpointId));
}

/** The sets of some projects, the oldest first. Two statements. */
export async function setsOfProjects(db: Db, projects: readonly string[]): Promise<ActionSet[]> {
  return projects.length === 0 ? [] : load(db, (query) => query.where('project', 'in', projects));
}

/** The enabled sets that signals of an endpoint may set off, the oldest first. */
export function enabledSetsOf(db: Db, endpointId: number): Promise<ActionSet[]> {
  return load(db, (query) => query.where('endpoint_id', '=', endpointId).where('enabled', '=', 1));
}

export async function findSet(db: Db, id: number): Promise<ActionSet | undefined> {
  return (await load(db, (query) => query.where('id', '=', id)))[0];
}

function setsIn(db: Db) {
  return db.selectFrom('action_sets').selectAll().orderBy('id');
}

async function load(db: Db, narrow: (query: ReturnType<typeof setsIn>) => ReturnType<typeof setsIn>) {
  const rows = await narrow(setsIn(db)).execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const actions = await db
    .selectFrom('actions')
    .selectAll()
    .where('action_set_id', 'in', ids)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();
  const bySet = Map.groupBy(actions, (action) => action.action_set_id);
  return rows.map((row) => fromRow(db, row, bySet.get(row.id) ?? []));
}

export async function countSets(db: Db, project: string): Promise<number> {
  const row = await db
    .selectFrom('action_sets')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('project', '=', project)
    .executeTakeFirstOrThrow();
  return row.n;
}

export async function findSetNamed(db: Db, project: string, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('action_sets')
    .select('id')
    .where('project', '=', project)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id;
}

/** The signal that was stored last, of any endpoint. */
export async function newestSignal(db: Db): Promise<number> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', 'signal').executeTakeFirstOrThrow();
  return row.value;
}

export async function insertSet(tx: Tx, set: Omit<ActionSet, 'id' | 'actions'>): Promise<number> {
  const row = await tx.db.insertInto('action_sets').values(toRow(set)).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

export async function updateSet(tx: Tx, set: ActionSet): Promise<void> {
  await tx.db.updateTable('action_sets').set(toRow(set)).where('id', '=', set.id).execute();
}

export async function deleteSet(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('action_sets').where('id', '=', id).execute();
}

/** Gives a set these actions; those it has that are the same stay, with their ids. */
export async function putActions(
  tx: Tx,
  setId: number,
  before: readonly Action[],
  wanted: readonly NewAction[],
): Promise<void> {
  const same = (one: NewAction) => JSON.stringify([one.action, one.sortOrder, one.executionParams]);
  const left = Map.groupBy(before, same);
  const fresh = wanted.filter((one) => left.get(same(one))?.shift() === undefined);
  const gone = [...left.values()].flat().map(({ id }) => id);
  if (gone.length > 0) await tx.db.deleteFrom('actions').where('id', 'in', gone).execute();
  await tx.insertMany(
    {
      table: 'actions',
      columns: [
        ['action_set_id', 'integer'],
        ['action', 'text'],
        ['sort_order', 'integer'],
        ['params', 'text'],
        ['created_at', 'integer'],
        ['created_by_user_id', 'integer'],
      ],
    },
    fresh.map((one) => [
      setId,
      one.action,
      one.sortOrder,
      callsOutside(one.action)
        ? sealedIn(tx.db, JSON.stringify(one.executionParams))
        : JSON.stringify(one.executionParams),
      tx.now,
      tx.by.actor.userId,
    ]),
  );
}

function toRow(set: Omit<ActionSet, 'id' | 'actions'>) {
  return {
    project: set.project,
    name: set.name,
    description: set.description,
    enabled: Number(set.enabled),
    actor_id: set.actorId,
    endpoint_id: set.endpointId,
    filters: JSON.stringify(set.filters),
    for_each: set.forEach,
    allow: set.allow === null ? null : JSON.stringify(set.allow),
    guards: JSON.stringify(set.guards),
    shadow: Number(set.shadow),
    since_signal_id: set.sinceSignalId,
    created_at: set.createdAt,
    created_by_user_id: set.createdByUserId,
  };
}

function fromRow(
  db: Db,
  row: Selectable<ActionTables['action_sets']>,
  actions: readonly Selectable<ActionTables['actions']>[],
): ActionSet {
  return {
    id: row.id,
    project: row.project,
    name: row.name,
    description: row.description,
    enabled: row.enabled === 1,
    actorId: row.actor_id,
    endpointId: row.endpoint_id,
    filters: JSON.parse(row.filters) as Filters,
    forEach: row.for_each,
    allow: row.allow === null ? null : (JSON.parse(row.allow) as Allowed),
    guards: JSON.parse(row.guards) as GuardRules,
    shadow: row.shadow === 1,
    sinceSignalId: row.since_signal_id,
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
    actions: actions.map((one) => ({
      id: one.id,
      action: one.action,
      sortOrder: one.sort_order,
      executionParams: parametersOf(db, one),
      createdAt: one.created_at,
      createdByUserId: one.created_by_user_id,
    })),
  };
}

function parametersOf(db: Db, { action, action_set_id, params }: Selectable<ActionTables['actions']>) {
  const text = callsOutside(action) ? openedIn(db, params, `The action set ${action_set_id}`) : params;
  return JSON.parse(text) as Action['executionParams'];
}
