import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import { type Db, sql, type Tx } from '#storage/tx.ts';
import type { LinkTemplate, Project, ProjectMode } from './project.ts';

const columns = [
  'id',
  'name',
  'description',
  'mode',
  'default_stickiness',
  'created_at',
  'updated_at',
  'archived_at',
  'naming_pattern',
  'naming_example',
  'naming_description',
  'link_templates',
  'feature_limit',
  'reason_required',
  'reason_pattern',
] as const;

/** Returns the archived projects, or all others, ordered by name. */
export async function listProjects(db: Db, archived: boolean): Promise<Project[]> {
  const rows = await db
    .selectFrom('projects')
    .select(columns)
    .where('archived_at', archived ? 'is not' : 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toProject);
}

/** Returns the environment names of every project, by project id, with one statement. */
export async function environmentsOfProjects(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('project_environments as p')
    .innerJoin('environments as e', 'e.name', 'p.environment')
    .select(['p.project', 'p.environment'])
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute();
  const places = Map.groupBy(rows, ({ project }) => project);
  return new Map([...places].map(([project, own]) => [project, own.map(({ environment }) => environment)]));
}

/** Returns the ids of the user's favorite projects. */
export async function favoriteProjects(db: Db, userId: number): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('favorite_projects').select('project').where('user_id', '=', userId).execute();
  return new Set(rows.map(({ project }) => project));
}

const selectProject = prepared<{ id: string }>().query((db, { id }) =>
  db.selectFrom('projects').select(columns).where('id', '=', id),
);

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const [row] = await selectProject(db, { id });
  return row && toProject(row);
}

export async function countProjects(db: Db): Promise<number> {
  const row = await db
    .selectFrom('projects')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

export async function insertProject(tx: Tx, project: Project): Promise<void> {
  await tx.db
    .insertInto('projects')
    .values({
      id: project.id,
      name: project.name,
      description: project.description,
      mode: project.mode,
      default_stickiness: project.defaultStickiness,
      ...columnsForFlags(project),
      feature_limit: project.featureLimit,
      created_at: project.createdAt,
      updated_at: project.updatedAt,
      archived_at: project.archivedAt,
    })
    .execute();
}

export async function updateProjectRow(tx: Tx, project: Project): Promise<void> {
  await tx.db
    .updateTable('projects')
    .set({
      name: project.name,
      description: project.description,
      mode: project.mode,
      default_stickiness: project.defaultStickiness,
      ...columnsForFlags(project),
      feature_limit: project.featureLimit,
      updated_at: project.updatedAt,
    })
    .where('id', '=', project.id)
    .execute();
}

export async function setArchivedAt(tx: Tx, id: string, archivedAt: number | null): Promise<void> {
  await tx.db.updateTable('projects').set({ archived_at: archivedAt }).where('id', '=', id).execute();
}

export async function deleteProjectRow(tx: Tx, id: string): Promise<void> {
  await tx.db.deleteFrom('projects').where('id', '=', id).execute();
}

/** Keeps the events of a private project hidden after its deletion. */
export async function rememberDeletedPrivate(tx: Tx, id: string): Promise<void> {
  await tx.db
    .insertInto('deleted_private_projects')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isDeletedPrivate(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('deleted_private_projects').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export async function addProjectEnvironments(tx: Tx, project: string, environments: readonly string[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'project_environments',
      columns: [
        ['project', 'text'],
        ['environment', 'text'],
      ],
    },
    environments.map((environment) => [project, environment]),
  );
}

export async function removeProjectEnvironment(tx: Tx, project: string, environment: string): Promise<void> {
  await tx.db
    .deleteFrom('project_environments')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .execute();
}

/** Counts the accounts with a role in each project, directly or through a group; only in `project` when given. */
export async function countMembers(db: Db, project?: string): Promise<ReadonlyMap<string, number>> {
  let own = db.selectFrom('project_user_roles').select(['project', 'user_id']);
  let through = db
    .selectFrom('project_group_roles as r')
    .innerJoin('group_users as m', 'm.group_id', 'r.group_id')
    .select(['r.project', 'm.user_id']);
  if (project !== undefined) {
    own = own.where('project', '=', project);
    through = through.where('r.project', '=', project);
  }
  const rows = await db
    .selectFrom(own.union(through).as('members'))
    .select((eb) => ['members.project', eb.fn.countAll<number>().as('n')])
    .groupBy('members.project')
    .execute();
  return new Map(rows.map((row) => [row.project, row.n]));
}

/** Returns the time of the last event by project id, with one statement that does an index lookup per project. */
export async function lastEventTimes(db: Db, project?: string): Promise<ReadonlyMap<string, number>> {
  let query = db
    .selectFrom('projects as p')
    .select([
      'p.id',
      sql<number | null>`(select e.created_at from events as e where e.project = p.id order by e.id desc limit 1)`.as(
        'at',
      ),
    ]);
  if (project !== undefined) query = query.where('p.id', '=', project);
  const rows = await query.execute();
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at]])));
}

const linkTemplatesColumn = jsonColumn<readonly LinkTemplate[]>(
  'projects.link_templates',
  z.array(z.object({ title: z.string().nullable(), urlTemplate: z.string() })),
);

function columnsForFlags({ naming, linkTemplates, changeReason }: Project) {
  return {
    naming_pattern: naming.pattern,
    naming_example: naming.example,
    naming_description: naming.description,
    link_templates: linkTemplatesColumn.write(linkTemplates),
    reason_required: changeReason.required ? 1 : 0,
    reason_pattern: changeReason.pattern,
  };
}

function toProject(row: Row<'projects'>): Project {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    mode: row.mode as ProjectMode,
    defaultStickiness: row.default_stickiness,
    naming: { pattern: row.naming_pattern, example: row.naming_example, description: row.naming_description },
    linkTemplates: linkTemplatesColumn.parse(row.link_templates, row.id),
    featureLimit: row.feature_limit,
    changeReason: { required: row.reason_required === 1, pattern: row.reason_pattern },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
  };
}
