import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Environment } from './environment.ts';

const columns = ['name', 'type', 'enabled', 'protected', 'sort_order', 'required_approvals'] as const;

/** Returns all environments in sort order. */
export async function listEnvironments(db: Db): Promise<Environment[]> {
  const rows = await db.selectFrom('environments').select(columns).orderBy('sort_order').orderBy('name').execute();
  return rows.map(toEnvironment);
}

/** Returns the environments of a project in sort order. */
export async function listEnvironmentsOfProject(db: Db, project: string): Promise<Environment[]> {
  const rows = await db
    .selectFrom('environments')
    .innerJoin('project_environments as p', 'p.environment', 'environments.name')
    .where('p.project', '=', project)
    .select(columns)
    .orderBy('sort_order')
    .orderBy('name')
    .execute();
  return rows.map(toEnvironment);
}

export async function findEnvironment(db: Db, name: string): Promise<Environment | undefined> {
  const row = await db.selectFrom('environments').select(columns).where('name', '=', name).executeTakeFirst();
  return row && toEnvironment(row);
}

export async function insertEnvironment(tx: Tx, environment: Environment): Promise<void> {
  await tx.db
    .insertInto('environments')
    .values({
      name: environment.name,
      type: environment.type,
      enabled: Number(environment.enabled),
      protected: Number(environment.protected),
      sort_order: environment.sortOrder,
      required_approvals: environment.requiredApprovals,
      created_at: tx.now,
    })
    .execute();
}

/** Adds an environment to projects that do not have it. */
export async function addToProjects(tx: Tx, environment: string, projects: readonly string[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'project_environments',
      columns: [
        ['project', 'text'],
        ['environment', 'text'],
      ],
    },
    projects.map((project) => [project, environment]),
  );
}

export async function updateEnvironmentRow(tx: Tx, environment: Environment): Promise<void> {
  await tx.db
    .updateTable('environments')
    .set({
      type: environment.type,
      enabled: Number(environment.enabled),
      sort_order: environment.sortOrder,
      required_approvals: environment.requiredApprovals,
    })
    .where('name', '=', environment.name)
    .execute();
}

export async function deleteEnvironmentRow(tx: Tx, name: string): Promise<void> {
  await tx.db.deleteFrom('environments').where('name', '=', name).execute();
}

/** Returns the ids of the projects that exist. */
export async function knownProjects(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('projects').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns every project of the environment with its number of environments. */
export async function projectsOf(db: Db, environment: string): Promise<{ project: string; environments: number }[]> {
  const rows = await db
    .selectFrom('project_environments as p')
    .where('p.project', 'in', (query) =>
      query.selectFrom('project_environments').select('project').where('environment', '=', environment),
    )
    .select((eb) => ['p.project', eb.fn.countAll<number>().as('n')])
    .groupBy('p.project')
    .orderBy('p.project')
    .execute();
  return rows.map((row) => ({ project: row.project, environments: row.n }));
}

function toEnvironment(row: Omit<Row<'environments'>, 'created_at'>): Environment {
  return {
    name: row.name,
    type: row.type,
    enabled: row.enabled === 1,
    protected: row.protected === 1,
    sortOrder: row.sort_order,
    requiredApprovals: row.required_approvals,
  };
}
