import { z } from 'zod';
import { storedStrategyVariants } from '#features/flags/variants/index.ts';
import { contextNamesOf, storedConstraints } from '#features/platform/constraints/index.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { DefaultStrategy } from './default-strategy.ts';

const columns = {
  parameters: jsonColumn<DefaultStrategy['parameters']>(
    'default_strategies.parameters',
    z.record(z.string(), z.string()),
  ),
  constraints: jsonColumn('default_strategies.constraints', storedConstraints),
  variants: jsonColumn('default_strategies.variants', storedStrategyVariants),
};

/** Lists default strategies by project and environment, with one statement. */
export async function listDefaults(
  db: Db,
  filter: { readonly projects?: readonly string[]; readonly environment?: string },
): Promise<DefaultStrategy[]> {
  let query = db
    .selectFrom('default_strategies as d')
    .leftJoin('default_strategy_segments as g', (join) =>
      join.onRef('g.project', '=', 'd.project').onRef('g.environment', '=', 'd.environment'),
    )
    .select([
      'd.project',
      'd.environment',
      'd.name',
      'd.title',
      'd.parameters',
      'd.constraints',
      'd.variants',
      'g.segment_id',
    ])
    .orderBy('d.project')
    .orderBy('d.environment')
    .orderBy('g.segment_id');
  if (filter.projects !== undefined) query = query.where('d.project', 'in', filter.projects);
  if (filter.environment !== undefined) query = query.where('d.environment', '=', filter.environment);
  const found: (DefaultStrategy & { readonly segments: number[] })[] = [];
  for (const row of await query.execute()) {
    let last = found.at(-1);
    if (last?.project !== row.project || last.environment !== row.environment) {
      last = { ...toDefault(row), segments: [] };
      found.push(last);
    }
    if (row.segment_id !== null) last.segments.push(row.segment_id);
  }
  return found;
}

/** Inserts default strategies in places that have none. */
export async function insertDefaults(tx: Tx, defaults: readonly DefaultStrategy[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'default_strategies',
      columns: [
        ['project', 'text'],
        ['environment', 'text'],
        ['name', 'text'],
        ['title', 'text'],
        ['parameters', 'text'],
        ['constraints', 'text'],
        ['variants', 'text'],
      ],
    },
    defaults.map((strategy) => [
      strategy.project,
      strategy.environment,
      strategy.name,
      strategy.title,
      columns.parameters.write(strategy.parameters),
      columns.constraints.write(strategy.constraints),
      columns.variants.write(strategy.variants),
    ]),
  );
  const segments = defaults.flatMap((strategy) =>
    strategy.segments.map((id) => [strategy.project, strategy.environment, id] as const),
  );
  if (segments.length > 0) {
    const columns = [
      ['project', 'text'] as const,
      ['environment', 'text'] as const,
      ['segment_id', 'integer'] as const,
    ];
    await tx.insertMany({ table: 'default_strategy_segments', columns }, segments);
  }
  const fields = defaults.flatMap((strategy) =>
    contextNamesOf(strategy.constraints).map((field) => [strategy.project, strategy.environment, field] as const),
  );
  if (fields.length > 0) {
    const columns = [['project', 'text'] as const, ['environment', 'text'] as const, ['field', 'text'] as const];
    await tx.insertMany({ table: 'default_strategy_fields', columns }, fields);
  }
}

/** Deletes the default strategies of a project, or its default strategy in one environment. */
export async function deleteDefaults(tx: Tx, project: string, environment?: string): Promise<void> {
  let query = tx.db.deleteFrom('default_strategies').where('project', '=', project);
  if (environment !== undefined) query = query.where('environment', '=', environment);
  await query.execute();
}

function toDefault(row: Row<'default_strategies'>): Omit<DefaultStrategy, 'segments'> {
  const key = `${row.project} in ${row.environment}`;
  return {
    project: row.project,
    environment: row.environment,
    name: row.name,
    title: row.title,
    parameters: columns.parameters.parse(row.parameters, key),
    constraints: columns.constraints.parse(row.constraints, key),
    variants: columns.variants.parse(row.variants, key),
  };
}
