import { itemAt } from '#kernel/lists.ts';
import { prepared } from '#storage/prepared-query.ts';
import { openedIn, sealedIn } from '#storage/sealed-text.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { isOutboundKind } from '../kinds/index.ts';
import type { Action, ActionSet, ListeningSet } from './action-set.ts';
import { parseFormerEnds, setColumns } from './stored-set.ts';

/** The fields of an action that a caller sets. */
export type NewAction = Pick<Action, 'action' | 'sortOrder' | 'executionParams'>;

/** Returns the sets of a project, oldest first, in two statements. */
export function listSets(db: Db, project: string): Promise<ActionSet[]> {
  return loadSets(db, (query) => query.where('project', '=', project));
}

/** Returns the sets of all projects for an endpoint, enabled or not, oldest first, in two statements. */
export function setsOfEndpoint(db: Db, endpointId: number): Promise<ActionSet[]> {
  return loadSets(db, (query) => query.where('endpoint_id', '=', endpointId));
}

/** Returns the sets of these projects, oldest first, in two statements. */
export async function setsOfProjects(db: Db, projects: readonly string[]): Promise<ActionSet[]> {
  return projects.length === 0 ? [] : loadSets(db, (query) => query.where('project', 'in', projects));
}

const selectEnabled = prepared<{ endpointId: number }>().query((db, { endpointId }) =>
  setsIn(db).where('endpoint_id', '=', endpointId).where('enabled', '=', 1),
);

const selectActionsOfEnabled = prepared<{ endpointId: number }>().query((db, { endpointId }) =>
  actionsIn(db).where('action_set_id', 'in', (eb) =>
    eb.selectFrom('action_sets').select('id').where('endpoint_id', '=', endpointId).where('enabled', '=', 1),
  ),
);

/** Returns the enabled sets of an endpoint, oldest first, with two statements that are sent together. */
export async function enabledSetsOfEndpoint(db: Db, endpointId: number): Promise<ListeningSet[]> {
  const [rows, actions] = await Promise.all([
    selectEnabled(db, { endpointId }),
    selectActionsOfEnabled(db, { endpointId }),
  ]);
  const sets = withActions(db, rows, actions);
  return sets.map((set, index) => ({ ...set, formerEnds: parseFormerEnds(itemAt(rows, index)) }));
}

/** Returns the enabled sets of all projects, oldest first, in two statements. */
export function enabledSets(db: Db): Promise<ActionSet[]> {
  return loadSets(db, (query) => query.where('enabled', '=', 1));
}

export async function findSet(db: Db, id: number): Promise<ActionSet | undefined> {
  return (await loadSets(db, (query) => query.where('id', '=', id)))[0];
}

function setsIn(db: Db) {
  return db.selectFrom('action_sets').selectAll().orderBy('id');
}

async function loadSets(db: Db, narrow: (query: ReturnType<typeof setsIn>) => ReturnType<typeof setsIn>) {
  const rows = await narrow(setsIn(db)).execute();
  return rows.length === 0 ? [] : withActions(db, rows, await selectActions(db, { setIds: rows.map(({ id }) => id) }));
}

function actionsIn(db: Db) {
  return db.selectFrom('actions').selectAll().orderBy('sort_order').orderBy('id');
}

const selectActions = prepared<{ setIds: readonly number[] }>().query((db, { setIds }) =>
  actionsIn(db).where('action_set_id', 'in', setIds),
);

function withActions(db: Db, rows: readonly Row<'action_sets'>[], actions: readonly Row<'actions'>[]): ActionSet[] {
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

/** Replaces the actions of a set. Unchanged actions keep their ids. */
export async function replaceActions(
  tx: Tx,
  setId: number,
  before: readonly Action[],
  desired: readonly NewAction[],
): Promise<void> {
  const contentKey = ({ action, sortOrder, executionParams }: NewAction) =>
    JSON.stringify([action, sortOrder, executionParams]);
  const remaining = Map.groupBy(before, contentKey);
  const added = desired.filter((action) => remaining.get(contentKey(action))?.shift() === undefined);
  const removed = [...remaining.values()].flat().map(({ id }) => id);
  if (removed.length > 0) await tx.db.deleteFrom('actions').where('id', 'in', removed).execute();
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
    added.map((action) => [
      setId,
      action.action,
      action.sortOrder,
      isOutboundKind(action.action)
        ? sealedIn(tx.db, setColumns.params.write(action.executionParams))
        : setColumns.params.write(action.executionParams),
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
    trigger_kind: set.trigger,
    filters: setColumns.filters.write(set.filters),
    release_filters: set.releaseFilters === null ? null : setColumns.releaseFilters.write(set.releaseFilters),
    for_each: set.forEach,
    allow: set.allow === null ? null : setColumns.allow.write(set.allow),
    guards: setColumns.guards.write(set.guards),
    shadow: Number(set.shadow),
    since_signal_id: set.sinceSignalId,
    created_at: set.createdAt,
    created_by_user_id: set.createdByUserId,
  };
}

function fromRow(db: Db, row: Row<'action_sets'>, actions: readonly Row<'actions'>[]): ActionSet {
  return {
    id: row.id,
    project: row.project,
    name: row.name,
    description: row.description,
    enabled: row.enabled === 1,
    actorId: row.actor_id,
    endpointId: row.endpoint_id,
    trigger: row.trigger_kind === 'silence' ? 'silence' : 'signal',
    filters: setColumns.filters.parse(row.filters, row.id),
    releaseFilters: row.release_filters === null ? null : setColumns.releaseFilters.parse(row.release_filters, row.id),
    forEach: row.for_each,
    allow: row.allow === null ? null : setColumns.allow.parse(row.allow, row.id),
    guards: setColumns.guards.parse(row.guards, row.id),
    shadow: row.shadow === 1,
    sinceSignalId: row.since_signal_id,
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
    actions: actions.map((action) => ({
      id: action.id,
      action: action.action,
      sortOrder: action.sort_order,
      executionParams: parametersOf(db, action),
      createdAt: action.created_at,
      createdByUserId: action.created_by_user_id,
    })),
  };
}

function parametersOf(db: Db, { id, action, action_set_id, params }: Row<'actions'>) {
  const text = isOutboundKind(action) ? (openedIn(db, params, `The action set ${action_set_id}`) ?? '{}') : params;
  return setColumns.params.parse(text, id);
}
