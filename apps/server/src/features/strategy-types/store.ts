import type { Db, Tx } from '../../storage/tx.ts';
import type { StrategyParameter, StrategyType } from './strategy-type.ts';

/** After those that every SDK knows. */
const customPlace = 1000;

const columns = ['name', 'title', 'display_name', 'description', 'editable', 'deprecated', 'parameters'] as const;

/** The strategies there are, in the order in which they are offered. */
export async function listDefinitions(db: Db): Promise<StrategyType[]> {
  const rows = await db.selectFrom('strategies').select(columns).orderBy('place').orderBy('name').execute();
  return rows.map(toDefinition);
}

/** The strategy of that name, if there is one. */
export async function findDefinition(db: Db, name: string): Promise<StrategyType | undefined> {
  const row = await db.selectFrom('strategies').select(columns).where('name', '=', name).executeTakeFirst();
  return row && toDefinition(row);
}

/** The projects with a default strategy of the name. */
export async function listDefaulting(db: Db, name: string): Promise<{ name: string; project: string }[]> {
  const rows = await db
    .selectFrom('default_strategies')
    .select('project')
    .distinct()
    .where('name', '=', name)
    .orderBy('project')
    .execute();
  return rows.map(({ project }) => ({ name: project, project }));
}

/** The flags that use the strategy, archived or not: of each project one. */
export async function listUsers(db: Db, name: string): Promise<{ name: string; project: string }[]> {
  return db
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select((eb) => ['f.project', eb.fn.min('f.name').as('name')])
    .where('s.name', '=', name)
    .groupBy('f.project')
    .orderBy('f.project')
    .execute();
}

export async function insertDefinition(tx: Tx, definition: StrategyType): Promise<void> {
  await tx.db
    .insertInto('strategies')
    .values({
      name: definition.name,
      place: customPlace,
      title: definition.title,
      display_name: definition.displayName,
      description: definition.description,
      editable: Number(definition.editable),
      deprecated: Number(definition.deprecated),
      parameters: JSON.stringify(definition.parameters),
    })
    .execute();
}

export async function updateDefinitionRow(tx: Tx, definition: StrategyType): Promise<void> {
  await tx.db
    .updateTable('strategies')
    .set({
      description: definition.description,
      deprecated: Number(definition.deprecated),
      parameters: JSON.stringify(definition.parameters),
    })
    .where('name', '=', definition.name)
    .execute();
}

export async function deleteDefinitionRow(tx: Tx, name: string): Promise<void> {
  await tx.db.deleteFrom('strategies').where('name', '=', name).execute();
}

function toDefinition(row: {
  name: string;
  title: string | null;
  display_name: string | null;
  description: string;
  editable: number;
  deprecated: number;
  parameters: string;
}): StrategyType {
  return {
    name: row.name,
    title: row.title,
    displayName: row.display_name,
    description: row.description,
    editable: row.editable === 1,
    deprecated: row.deprecated === 1,
    parameters: JSON.parse(row.parameters) as readonly StrategyParameter[],
  };
}
