import { parentVariantsColumn } from '#features/flags/dependencies/index.ts';
import { fieldColumnNames, toFlagFields } from '#features/flags/feature/index.ts';
import { holdEffectColumns, toHoldEffect } from '#features/flags/held-state/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Db } from '#storage/tx.ts';
import { applyHold } from './apply-hold.ts';
import type { ClientFeature, ClientFeatureEnvironment, ClientStrategy } from './client-feature.ts';

/**
 * Loads the flags that are not archived, sorted by name: all of them, or the named ones. Takes one statement for all
 * flags, or one for each thousand names, so that each result is consistent. Includes flags without environments.
 */
export async function loadClientFeatures(db: Db, names?: readonly string[]): Promise<ClientFeature[]> {
  if (names === undefined) return gather(await inOrder(db).execute());
  const features: ClientFeature[] = [];
  for (const part of chunksOf(names.toSorted())) {
    for (const feature of gather(await selectNamed(db, { names: part }))) features.push(feature);
  }
  return features;
}

const selectNamed = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  inOrder(db).where('f.name', 'in', names),
);

function inOrder(db: Db) {
  return db
    .selectFrom('features as f')
    .leftJoin('feature_environments as e', 'e.feature_name', 'f.name')
    .leftJoin('feature_strategies as s', (join) =>
      join.onRef('s.feature_name', '=', 'e.feature_name').onRef('s.environment', '=', 'e.environment'),
    )
    .leftJoin('feature_strategy_segments as g', 'g.strategy_id', 's.id')
    .leftJoin('feature_dependencies as d', 'd.child', 'f.name')
    .leftJoin('feature_variants as w', (join) =>
      join.onRef('w.feature_name', '=', 'e.feature_name').onRef('w.environment', '=', 'e.environment'),
    )
    .leftJoin('feature_leases as l', 'l.id', 'e.lease_id')
    .where('f.archived_at', 'is', null)
    .select([
      'f.name',
      'f.project',
      ...fieldColumnNames.map((column) => `f.${column}` as const),
      'e.environment',
      'e.enabled',
      's.id as strategy_id',
      's.title',
      's.disabled',
      's.name as strategy',
      's.parameters',
      's.constraints',
      's.variants',
      'g.segment_id',
      'w.variants as flag_variants',
      ...holdEffectColumns,
      'd.parent',
      'd.enabled as parent_enabled',
      'd.variants as parent_variants',
    ])
    .orderBy('f.name')
    .orderBy('e.environment')
    .orderBy('s.sort_order')
    .orderBy('s.created_at')
    .orderBy('s.id')
    .orderBy('g.segment_id');
}

type Row = Awaited<ReturnType<typeof selectNamed>>[number];

/**
 * Groups rows into flags. Rows are sorted by flag, environment and strategy, with one row for each segment of a
 * strategy.
 */
function gather(rows: readonly Row[]): ClientFeature[] {
  const features: (Omit<ClientFeature, 'environments'> & { readonly environments: OpenEnvironment[] })[] = [];
  const held = new Map<OpenEnvironment | undefined, Row>();
  for (const [index, row] of rows.entries()) {
    let feature = features.at(-1);
    if (feature?.name !== row.name) {
      feature = {
        name: row.name,
        project: row.project,
        ...toFlagFields(row),
        environments: [],
        dependency: dependencyOf(row),
      };
      features.push(feature);
    }
    addEnvironment(feature.environments, row, rows[index - 1]);
    if (row.lease_id !== null) held.set(feature.environments.at(-1), row);
  }
  if (held.size > 0) for (const { name, environments } of features) applyHolds(name, environments, held);
  return features;
}

/** Replaces the configured state by the effective state where a hold is in force. */
function applyHolds(
  name: string,
  environments: ClientFeatureEnvironment[],
  held: ReadonlyMap<ClientFeatureEnvironment | undefined, Row>,
): void {
  for (const [index, environment] of environments.entries()) {
    const row = held.get(environment);
    const hold = row === undefined ? null : toHoldEffect(row);
    if (hold !== null) environments[index] = applyHold(environment, hold, name);
  }
}

type OpenStrategy = Omit<ClientStrategy, 'segments'> & { readonly segments: number[] };
type OpenEnvironment = Omit<ClientFeatureEnvironment, 'strategies'> & { readonly strategies: OpenStrategy[] };

function dependencyOf({
  name,
  parent,
  parent_enabled: enabled,
  parent_variants: variants,
}: Row): ClientFeature['dependency'] {
  if (parent === null || variants === null) return null;
  return { parent, enabled: enabled === 1, variants: parentVariantsColumn.parse(variants, name) };
}

function addEnvironment(environments: OpenEnvironment[], row: Row, before: Row | undefined): void {
  if (row.environment === null) return;
  let environment = environments.at(-1);
  if (environment?.environment !== row.environment) {
    const variantsJson = row.flag_variants ?? '[]';
    environment = { environment: row.environment, enabled: row.enabled === 1, strategies: [], variantsJson };
    environments.push(environment);
  }
  if (row.strategy_id !== before?.strategy_id) addStrategy(environment.strategies, row);
  if (row.segment_id !== null) environment.strategies.at(-1)?.segments.push(row.segment_id);
}

function addStrategy(strategies: OpenStrategy[], row: Row): void {
  const { strategy_id: id, strategy, parameters, constraints, variants } = row;
  if (id === null || strategy === null || parameters === null || constraints === null || variants === null) return;
  strategies.push({
    id,
    name: strategy,
    title: row.title,
    disabled: row.disabled === 1,
    parametersJson: parameters,
    constraintsJson: constraints,
    variantsJson: variants,
    segments: [],
  });
}
