import type { Db } from '../../storage/tx.ts';
import type { Dependency } from './dependency.ts';

/** A flag as SDKs need it, in every environment it has. The JSON stays the text it is stored as. */
export interface ClientFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly environments: readonly ClientFeatureEnvironment[];
  /** What must hold of another flag; null when it depends on none. */
  readonly dependency: Omit<Dependency, 'child'> | null;
}

export interface ClientFeatureEnvironment {
  readonly environment: string;
  readonly enabled: boolean;
  /** Those that are not disabled, in the order in which they are tried. */
  readonly strategies: readonly ClientStrategy[];
  /** An array of the flag's own variants. */
  readonly variantsJson: string;
}

export interface ClientStrategy {
  readonly name: string;
  /** An object whose values are strings. */
  readonly parametersJson: string;
  /** An array of constraints. */
  readonly constraintsJson: string;
  /** An array of strategy variants. */
  readonly variantsJson: string;
}

/** More names than this are not sent to the database: everything is read and picked from. */
const maxNamesInQuery = 1000;

/**
 * Flags that are not archived, by name: those named, or all of them. One statement, so that what it answers is
 * the state at one moment. A flag that is in no environment is there, with none.
 */
export async function loadClientFeatures(db: Db, names?: readonly string[]): Promise<ClientFeature[]> {
  if (names?.length === 0) return [];
  const rows = await rowsOf(db, names !== undefined && names.length <= maxNamesInQuery ? names : undefined);
  const features = gather(rows);
  if (names === undefined || names.length <= maxNamesInQuery) return features;
  const wanted = new Set(names);
  return features.filter((feature) => wanted.has(feature.name));
}

function rowsOf(db: Db, names: readonly string[] | undefined) {
  let query = db
    .selectFrom('features as f')
    .leftJoin('feature_environments as e', 'e.feature_name', 'f.name')
    .leftJoin('feature_strategies as s', (join) =>
      join
        .onRef('s.feature_name', '=', 'e.feature_name')
        .onRef('s.environment', '=', 'e.environment')
        .on('s.disabled', '=', 0),
    )
    .leftJoin('feature_dependencies as d', 'd.child', 'f.name')
    .leftJoin('feature_variants as w', (join) =>
      join.onRef('w.feature_name', '=', 'e.feature_name').onRef('w.environment', '=', 'e.environment'),
    )
    .where('f.archived_at', 'is', null)
    .select([
      'f.name',
      'f.project',
      'f.type',
      'f.description',
      'f.stale',
      'f.impression_data',
      'e.environment',
      'e.enabled',
      's.name as strategy',
      's.parameters',
      's.constraints',
      's.variants',
      'w.variants as flag_variants',
      'd.parent',
      'd.enabled as parent_enabled',
      'd.variants as parent_variants',
    ])
    .orderBy('f.name')
    .orderBy('e.environment')
    .orderBy('s.sort_order')
    .orderBy('s.created_at')
    .orderBy('s.id');
  if (names !== undefined) query = query.where('f.name', 'in', names);
  return query.execute();
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

/** Folds rows, which come sorted by flag and environment. */
function gather(rows: readonly Row[]): ClientFeature[] {
  const features: (ClientFeature & { environments: OpenEnvironment[] })[] = [];
  for (const row of rows) {
    let feature = features.at(-1);
    if (feature?.name !== row.name) {
      feature = {
        name: row.name,
        project: row.project,
        type: row.type,
        description: row.description,
        stale: row.stale === 1,
        impressionData: row.impression_data === 1,
        environments: [],
        dependency: dependencyOf(row),
      };
      features.push(feature);
    }
    addEnvironment(feature.environments, row);
  }
  return features;
}

function dependencyOf({
  parent,
  parent_enabled: enabled,
  parent_variants: variants,
}: Row): ClientFeature['dependency'] {
  if (parent === null || variants === null) return null;
  return { parent, enabled: enabled === 1, variants: JSON.parse(variants) as readonly string[] };
}

type OpenEnvironment = ClientFeatureEnvironment & { strategies: ClientStrategy[] };

function addEnvironment(environments: OpenEnvironment[], row: Row): void {
  if (row.environment === null) return;
  let environment = environments.at(-1);
  if (environment?.environment !== row.environment) {
    const variantsJson = row.flag_variants ?? '[]';
    environment = { environment: row.environment, enabled: row.enabled === 1, strategies: [], variantsJson };
    environments.push(environment);
  }
  const { strategy, parameters, constraints, variants } = row;
  if (strategy === null || parameters === null || constraints === null || variants === null) return;
  environment.strategies.push({
    name: strategy,
    parametersJson: parameters,
    constraintsJson: constraints,
    variantsJson: variants,
  });
}
