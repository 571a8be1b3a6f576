import type { Db, Tx } from '../../storage/tx.ts';
import type { Constraint } from './constraint.ts';
import type { Strategy } from './strategy.ts';
import type { StrategyVariant } from './variant.ts';

const columns = [
  'id',
  'feature_name',
  'environment',
  'name',
  'title',
  'disabled',
  'sort_order',
  'parameters',
  'constraints',
  'variants',
  'created_at',
] as const;

/** Strategies of the named flags, of one environment or of all; those of a flag in an environment in their order. */
export async function listStrategies(db: Db, names: readonly string[], environment?: string): Promise<Strategy[]> {
  let query = db
    .selectFrom('feature_strategies')
    .select(columns)
    .where('feature_name', 'in', names)
    .orderBy('feature_name')
    .orderBy('environment')
    .orderBy('sort_order')
    .orderBy('created_at')
    .orderBy('id');
  if (environment !== undefined) query = query.where('environment', '=', environment);
  return (await query.execute()).map(toStrategy);
}

export async function insertStrategies(tx: Tx, strategies: readonly Strategy[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'feature_strategies',
      columns: [
        ['id', 'text'],
        ['feature_name', 'text'],
        ['environment', 'text'],
        ['name', 'text'],
        ['title', 'text'],
        ['disabled', 'integer'],
        ['sort_order', 'integer'],
        ['parameters', 'text'],
        ['constraints', 'text'],
        ['variants', 'text'],
        ['created_at', 'integer'],
      ],
    },
    strategies.map((one) => [
      one.id,
      one.featureName,
      one.environment,
      one.name,
      one.title,
      Number(one.disabled),
      one.sortOrder,
      JSON.stringify(one.parameters),
      JSON.stringify(one.constraints),
      JSON.stringify(one.variants),
      one.createdAt,
    ]),
  );
}

export async function updateStrategyRow(tx: Tx, strategy: Strategy): Promise<void> {
  await tx.db
    .updateTable('feature_strategies')
    .set({
      name: strategy.name,
      title: strategy.title,
      disabled: Number(strategy.disabled),
      sort_order: strategy.sortOrder,
      parameters: JSON.stringify(strategy.parameters),
      constraints: JSON.stringify(strategy.constraints),
      variants: JSON.stringify(strategy.variants),
    })
    .where('id', '=', strategy.id)
    .execute();
}

/** Puts the disabled strategies of the named flags to use in an environment. */
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
  await tx.db.deleteFrom('feature_strategies').where('id', '=', id).execute();
}

function toStrategy(row: {
  id: string;
  feature_name: string;
  environment: string;
  name: string;
  title: string | null;
  disabled: number;
  sort_order: number;
  parameters: string;
  constraints: string;
  variants: string;
  created_at: number;
}): Strategy {
  return {
    id: row.id,
    featureName: row.feature_name,
    environment: row.environment,
    name: row.name,
    title: row.title,
    disabled: row.disabled === 1,
    sortOrder: row.sort_order,
    parameters: JSON.parse(row.parameters) as Readonly<Record<string, string>>,
    constraints: JSON.parse(row.constraints) as readonly Constraint[],
    variants: JSON.parse(row.variants) as readonly StrategyVariant[],
    createdAt: row.created_at,
  };
}
