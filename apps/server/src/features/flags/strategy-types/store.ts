import { z } from 'zod';
import { anyList, jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { StrategyParameter, StrategyType } from './strategy-type.ts';

/** Sorts custom strategy types after the built-in ones. */
const customSortOrder = 1000;

const parametersColumn = jsonColumn<readonly StrategyParameter[]>(
  'strategies.parameters',
  z.array(
    z.object({
      name: z.string(),
      type: z.enum(['string', 'percentage', 'list', 'number', 'boolean']),
      description: z.string(),
      required: z.boolean(),
    }),
  ),
);

const columns = ['name', 'title', 'display_name', 'description', 'editable', 'deprecated', 'parameters'] as const;

/** Returns all strategy types in sort order. */
export async function listStrategyTypes(db: Db): Promise<StrategyType[]> {
  const rows = await db.selectFrom('strategies').select(columns).orderBy('place').orderBy('name').execute();
  return rows.map(toStrategyType);
}

const selectNamed = prepared<{ name: string }>().query((db, { name }) =>
  db.selectFrom('strategies').select(columns).where('name', '=', name),
);

export async function findStrategyType(db: Db, name: string): Promise<StrategyType | undefined> {
  const [row] = await selectNamed(db, { name });
  return row && toStrategyType(row);
}

/** Returns the projects with a default strategy of this type. */
export async function projectsWithDefaultStrategy(db: Db, name: string): Promise<{ name: string; project: string }[]> {
  const rows = await db
    .selectFrom('default_strategies')
    .select('project')
    .distinct()
    .where('name', '=', name)
    .orderBy('project')
    .execute();
  return rows.map(({ project }) => ({ name: project, project }));
}

/** Returns one flag per project, archived or not, that uses the strategy type. */
export async function flagsUsing(db: Db, name: string): Promise<{ name: string; project: string }[]> {
  return db
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select((eb) => ['f.project', eb.fn.min('f.name').as('name')])
    .where('s.name', '=', name)
    .groupBy('f.project')
    .orderBy('f.project')
    .execute();
}

/** The milestones of a release plan. The feature `release-plans` owns the column. */
const milestonesColumn = jsonColumn(
  'release_plans.milestones',
  anyList<{ readonly strategies: readonly { readonly name: string }[] }>(),
);

/** Returns the flags, archived or not, with a release plan that has a milestone of the strategy type. */
export async function flagsWithPlanUsing(db: Db, name: string): Promise<{ name: string; project: string }[]> {
  const rows = await db
    .selectFrom('release_plans as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .select(['l.id', 'l.milestones', 'f.name', 'f.project'])
    .orderBy('f.name')
    .execute();
  const using = rows.filter(({ id, milestones }) =>
    milestonesColumn.parse(milestones, id).some(({ strategies }) => strategies.some((used) => used.name === name)),
  );
  return [...new Map(using.map((flag) => [flag.name, { name: flag.name, project: flag.project }])).values()];
}

export async function insertStrategyType(tx: Tx, strategyType: StrategyType): Promise<void> {
  await tx.db
    .insertInto('strategies')
    .values({
      name: strategyType.name,
      place: customSortOrder,
      title: strategyType.title,
      display_name: strategyType.displayName,
      description: strategyType.description,
      editable: Number(strategyType.editable),
      deprecated: Number(strategyType.deprecated),
      parameters: parametersColumn.write(strategyType.parameters),
    })
    .execute();
}

export async function updateStrategyTypeRow(tx: Tx, strategyType: StrategyType): Promise<void> {
  await tx.db
    .updateTable('strategies')
    .set({
      title: strategyType.title,
      description: strategyType.description,
      deprecated: Number(strategyType.deprecated),
      parameters: parametersColumn.write(strategyType.parameters),
    })
    .where('name', '=', strategyType.name)
    .execute();
}

export async function deleteStrategyTypeRow(tx: Tx, name: string): Promise<void> {
  await tx.db.deleteFrom('strategies').where('name', '=', name).execute();
}

function toStrategyType(row: Pick<Row<'strategies'>, (typeof columns)[number]>): StrategyType {
  return {
    name: row.name,
    title: row.title,
    displayName: row.display_name,
    description: row.description,
    editable: row.editable === 1,
    deprecated: row.deprecated === 1,
    parameters: parametersColumn.parse(row.parameters, row.name),
  };
}
