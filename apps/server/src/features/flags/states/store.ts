import { chunksOf } from '#kernel/lists.ts';
import { prepared } from '#storage/prepared-query.ts';
import { type Db, sql, type Tx } from '#storage/tx.ts';

/** The parameters of the statements: an environment and the names of flags. */
type Among = { readonly environment: string; readonly names: readonly string[] };

const selectStates = prepared<Among>().query((db, { environment, names }) =>
  db
    .selectFrom('feature_environments')
    .select(['feature_name', 'enabled'])
    .where('environment', '=', environment)
    .where('feature_name', 'in', names),
);

/** Returns whether each named flag is on in the environment. Flags that are not in the environment are absent. */
export async function statesIn(
  db: Db,
  environment: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await selectStates(db, { environment, names });
  return new Map(rows.map((row) => [row.feature_name, row.enabled === 1]));
}

/** Returns the environments that a flag is in. */
export async function environmentsOf(db: Db, featureName: string): Promise<string[]> {
  const rows = await db
    .selectFrom('feature_environments')
    .select('environment')
    .where('feature_name', '=', featureName)
    .orderBy('environment')
    .execute();
  return rows.map(({ environment }) => environment);
}

/** Adds a flag to environments, switched off. */
export async function insertStates(tx: Tx, featureName: string, environments: readonly string[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'feature_environments',
      columns: [
        ['feature_name', 'text'],
        ['environment', 'text'],
        ['enabled', 'integer'],
      ],
    },
    environments.map((environment) => [featureName, environment, 0]),
  );
}

const updateStates = prepared<Among & { enabled: number }>().change((db, { environment, names, enabled }) =>
  db
    .updateTable('feature_environments')
    .set({ enabled })
    .where('environment', '=', environment)
    .where('feature_name', 'in', names),
);

/** The state of a flag in an environment; `isNew` when it has no row yet. */
export interface NewState {
  readonly featureName: string;
  readonly environment: string;
  readonly enabled: boolean;
  readonly isNew: boolean;
}

/**
 * Sets the states of flags and adds missing ones. Inserts all new states with one statement. Updates the others with
 * one statement for each thousand flags that get the same state in the same environment.
 */
export async function putStates(tx: Tx, states: readonly NewState[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'feature_environments',
      columns: [
        ['feature_name', 'text'],
        ['environment', 'text'],
        ['enabled', 'integer'],
      ],
    },
    states
      .filter(({ isNew }) => isNew)
      .map(({ featureName, environment, enabled }) => [featureName, environment, Number(enabled)]),
  );
  const present = states.filter(({ isNew }) => !isNew);
  for (const environment of new Set(present.map((state) => state.environment))) {
    for (const enabled of [true, false]) {
      const names = present
        .filter((state) => state.environment === environment && state.enabled === enabled)
        .map(({ featureName }) => featureName);
      for (const part of chunksOf(names)) await setEnabled(tx, environment, part, enabled);
    }
  }
}

export async function setEnabled(
  tx: Tx,
  environment: string,
  names: readonly string[],
  enabled: boolean,
): Promise<void> {
  await updateStates(tx, { environment, names, enabled: Number(enabled) });
}

export async function switchOffEverywhere(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.db.updateTable('feature_environments').set({ enabled: 0 }).where('feature_name', 'in', names).execute();
}

/** Adds every flag of a project, archived flags included, to an environment, switched off. */
export async function addStates(tx: Tx, project: string, environment: string): Promise<void> {
  await tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'enabled'])
    .expression((eb) =>
      eb
        .selectFrom('features')
        .where('project', '=', project)
        // PostgreSQL needs the type of a bare parameter in a select list.
        .select(['name', sql<string>`cast(${environment} as text)`.as('environment'), sql<number>`0`.as('enabled')]),
    )
    .execute();
}

export async function removeStates(tx: Tx, project: string, environment: string): Promise<void> {
  await tx.db
    .deleteFrom('feature_environments')
    .where('environment', '=', environment)
    .where('feature_name', 'in', (eb) => eb.selectFrom('features').select('name').where('project', '=', project))
    .execute();
}

/** The projects whose flags are copied from one environment to another. */
interface Copy {
  readonly from: string;
  readonly to: string;
  readonly projects: readonly string[];
}

/**
 * Adds every flag of the projects, archived flags included, to the environment `to`. A flag gets its state in the
 * environment `from`, and is off when it has none there.
 */
export async function copyStates(tx: Tx, { from, to, projects }: Copy): Promise<void> {
  await tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'enabled'])
    .expression((eb) =>
      eb
        .selectFrom('features as f')
        .leftJoin('feature_environments as e', (join) =>
          join.onRef('e.feature_name', '=', 'f.name').on('e.environment', '=', from),
        )
        .where('f.project', 'in', projects)
        .select([
          'f.name',
          sql<string>`cast(${to} as text)`.as('environment'),
          sql<number>`coalesce(e.enabled, 0)`.as('enabled'),
        ]),
    )
    .execute();
}
