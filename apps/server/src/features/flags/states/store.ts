import { compiled } from '../../../storage/compiled.ts';
import { type Db, sql, type Tx } from '../../../storage/tx.ts';

/** Flags, by name, in an environment. */
type Among = { readonly environment: string; readonly names: readonly string[] };

const selectStates = compiled<Among>().query(
  (db, { environment, names }) =>
    db
      .selectFrom('feature_environments')
      .select(['feature_name', 'enabled'])
      .where('environment', '=', environment)
      .where('feature_name', 'in', names),
  { names: 'names', column: 'feature_name' },
);

/** Whether each of the named flags is on in the environment; one that has no state there is absent. */
export async function statesIn(
  db: Db,
  environment: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await selectStates(db, { environment, names });
  return new Map(rows.map((row) => [row.feature_name, row.enabled === 1]));
}

/** The environments that a flag has a state in. */
export async function environmentsOf(db: Db, featureName: string): Promise<string[]> {
  const rows = await db
    .selectFrom('feature_environments')
    .select('environment')
    .where('feature_name', '=', featureName)
    .orderBy('environment')
    .execute();
  return rows.map(({ environment }) => environment);
}

/** Gives a flag a state, switched off, in each of the environments. */
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

const updateStates = compiled<Among & { enabled: number }>().change(
  (db, { environment, names, enabled }) =>
    db
      .updateTable('feature_environments')
      .set({ enabled })
      .where('environment', '=', environment)
      .where('feature_name', 'in', names),
  ({ names }) => names.map((name) => `feature ${name}` as const),
  'names',
);

/** Whether a flag is on in an environment, and whether it has had a state there. */
export interface NewState {
  readonly featureName: string;
  readonly environment: string;
  readonly enabled: boolean;
  readonly isNew: boolean;
}

/** Most flags that one statement names. */
const chunk = 1000;

/** Switches flags, giving them a state where they have none. A statement for the new ones, and one for each environment, way and thousand of the others. */
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
  for (const environment of new Set(present.map((one) => one.environment))) {
    for (const enabled of [true, false]) {
      const names = present
        .filter((one) => one.environment === environment && one.enabled === enabled)
        .map(({ featureName }) => featureName);
      for (let from = 0; from < names.length; from += chunk) {
        await setEnabled(tx, environment, names.slice(from, from + chunk), enabled);
      }
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

/** Gives every flag of a project, archived ones included, a state in the environment, switched off. */
export async function addStates(tx: Tx, project: string, environment: string): Promise<void> {
  await tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'enabled'])
    .expression((eb) =>
      eb
        .selectFrom('features')
        .where('project', '=', project)
        // PostgreSQL must be told what a bare parameter of a select list is.
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

/** Which environment is copied into which one, in which projects. */
interface Copy {
  readonly from: string;
  readonly to: string;
  readonly projects: readonly string[];
}

/** Gives every flag of the projects, archived ones included, the state it has in another environment, or off. */
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
