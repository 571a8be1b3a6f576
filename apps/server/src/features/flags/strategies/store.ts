import { isDeepStrictEqual } from 'node:util';
import type { StrategyVariant } from '#features/flags/variants/index.ts';
import { type Constraint, contextNamesOf } from '#features/platform/constraints/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import { anyList, anyTexts, jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Strategy } from './strategy.ts';

/** The JSON columns of strategies. */
export const strategyColumns = {
  parameters: jsonColumn('feature_strategies.parameters', anyTexts),
  constraints: jsonColumn('feature_strategies.constraints', anyList<Constraint>()),
  variants: jsonColumn('feature_strategies.variants', anyList<StrategyVariant>()),
};

/** The columns of the fields of a strategy, with their types. */
const fieldColumns = {
  name: 'text',
  title: 'text',
  disabled: 'integer',
  sort_order: 'integer',
  parameters: 'text',
  constraints: 'text',
  variants: 'text',
} as const satisfies Partial<Record<keyof Row<'feature_strategies'>, 'text' | 'integer'>>;

type FieldRow = Pick<Row<'feature_strategies'>, keyof typeof fieldColumns>;

/**
 * Lists the strategies of flags in one environment or in all, in evaluation order for each flag and environment, with
 * one statement.
 */
export async function listStrategies(db: Db, names: readonly string[], environment?: string): Promise<Strategy[]> {
  return gather(
    environment === undefined ? await selectAll(db, { names }) : await selectInEnvironment(db, { names, environment }),
  );
}

const inOrder = (db: Db) =>
  db
    .selectFrom('feature_strategies as s')
    .leftJoin('feature_strategy_segments as g', 'g.strategy_id', 's.id')
    .selectAll('s')
    .select('g.segment_id')
    .orderBy('s.feature_name')
    .orderBy('s.environment')
    .orderBy('s.sort_order')
    .orderBy('s.created_at')
    .orderBy('s.id')
    .orderBy('g.segment_id');

const selectAll = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  inOrder(db).where('s.feature_name', 'in', names),
);

const selectInEnvironment = prepared<{ names: readonly string[]; environment: string }>().query(
  (db, { names, environment }) =>
    inOrder(db).where('s.feature_name', 'in', names).where('s.environment', '=', environment),
);

/** Returns the flag and environment of a strategy. */
export async function findStrategyLocation(
  db: Db,
  id: string,
): Promise<{ featureName: string; environment: string } | undefined> {
  return db
    .selectFrom('feature_strategies')
    .select(['feature_name as featureName', 'environment'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertStrategies(tx: Tx, strategies: readonly Strategy[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'feature_strategies',
      columns: [
        ['id', 'text'],
        ['feature_name', 'text'],
        ['environment', 'text'],
        ['created_at', 'integer'],
        ...Object.entries(fieldColumns),
      ],
    },
    strategies.map((strategy) => [
      strategy.id,
      strategy.featureName,
      strategy.environment,
      strategy.createdAt,
      ...Object.values(toFieldRow(strategy)),
    ]),
  );
  await insertSegments(tx, strategies);
  await insertFields(tx, strategies);
}

const updateColumns = prepared<FieldRow & Pick<Row<'feature_strategies'>, 'id'>>().change((db, { id, ...columns }) =>
  db.updateTable('feature_strategies').set(columns).where('id', '=', id),
);

/** Updates the editable columns of a strategy. */
export async function updateStrategyRow(tx: Tx, before: Strategy, strategy: Strategy): Promise<void> {
  const columns = { ...toFieldRow(strategy), id: strategy.id };
  tx.goOn(() => updateColumns(tx, columns));
  if (!isDeepStrictEqual(before.segments, strategy.segments)) {
    await tx.db.deleteFrom('feature_strategy_segments').where('strategy_id', '=', strategy.id).execute();
    await insertSegments(tx, [strategy]);
  }
  const fieldsChanged = !isDeepStrictEqual(contextNamesOf(before.constraints), contextNamesOf(strategy.constraints));
  if (fieldsChanged || before.name !== strategy.name) {
    await tx.db.deleteFrom('feature_strategy_fields').where('strategy_id', '=', strategy.id).execute();
    await insertFields(tx, [strategy]);
  }
}

/** Enables the disabled strategies of flags in an environment. */
export async function activateStrategies(tx: Tx, names: readonly string[], environment: string): Promise<void> {
  await tx.db
    .updateTable('feature_strategies')
    .set({ disabled: 0 })
    .where('feature_name', 'in', names)
    .where('environment', '=', environment)
    .where('disabled', '=', 1)
    .execute();
}

export async function deleteStrategyRow(tx: Tx, id: string): Promise<void> {
  await deleteStrategyRows(tx, [id]);
}

export async function deleteStrategyRows(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const part of chunksOf(ids)) await tx.db.deleteFrom('feature_strategies').where('id', 'in', part).execute();
}

async function insertSegments(tx: Tx, strategies: readonly Strategy[]): Promise<void> {
  const rows = strategies.flatMap(({ id, segments }) => segments.map((segment) => [id, segment]));
  if (rows.length === 0) return;
  await tx.insertMany(
    {
      table: 'feature_strategy_segments',
      columns: [
        ['strategy_id', 'text'],
        ['segment_id', 'integer'],
      ],
    },
    rows,
  );
}

const selectProjects = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  db.selectFrom('features').select(['name', 'project']).where('name', 'in', names),
);

/** Stores the context fields that the constraints of strategies refer to. */
async function insertFields(tx: Tx, strategies: readonly Strategy[]): Promise<void> {
  const constrained = strategies.filter(({ constraints }) => constraints.length > 0);
  if (constrained.length === 0) return;
  const names = [...new Set(constrained.map(({ featureName }) => featureName))];
  const projects = new Map((await selectProjects(tx.db, { names })).map(({ name, project }) => [name, project]));
  const rows = constrained.flatMap(({ id, name, featureName, environment, constraints }) => {
    const project = projects.get(featureName) ?? '';
    return contextNamesOf(constraints).map((field) => [id, field, name, featureName, project, environment]);
  });
  await tx.insertMany(
    {
      table: 'feature_strategy_fields',
      columns: [
        ['strategy_id', 'text'],
        ['field', 'text'],
        ['strategy_name', 'text'],
        ['feature_name', 'text'],
        ['project', 'text'],
        ['environment', 'text'],
      ],
    },
    rows,
  );
}

/** Groups rows into strategies. Rows are sorted by strategy, with one row for each segment. */
function gather(rows: readonly StrategyRow[]): Strategy[] {
  const strategies: (Strategy & { segments: number[] })[] = [];
  for (const row of rows) {
    let strategy = strategies.at(-1);
    if (strategy?.id !== row.id) {
      strategy = { ...toStrategy(row), segments: [] };
      strategies.push(strategy);
    }
    if (row.segment_id !== null) strategy.segments.push(row.segment_id);
  }
  return strategies;
}

type StrategyRow = Row<'feature_strategies'> & { readonly segment_id: number | null };

/** Returns the columns of the fields of a strategy, in the order of {@link fieldColumns}. */
function toFieldRow({ name, title, disabled, sortOrder, parameters, constraints, variants }: Strategy): FieldRow {
  return {
    name,
    title,
    disabled: Number(disabled),
    sort_order: sortOrder,
    parameters: strategyColumns.parameters.write(parameters),
    constraints: strategyColumns.constraints.write(constraints),
    variants: strategyColumns.variants.write(variants),
  };
}

function toStrategy(row: StrategyRow): Omit<Strategy, 'segments'> {
  return {
    id: row.id,
    featureName: row.feature_name,
    environment: row.environment,
    name: row.name,
    title: row.title,
    disabled: row.disabled === 1,
    sortOrder: row.sort_order,
    parameters: strategyColumns.parameters.parse(row.parameters, row.id),
    constraints: strategyColumns.constraints.parse(row.constraints, row.id),
    variants: strategyColumns.variants.parse(row.variants, row.id),
    createdAt: row.created_at,
  };
}
