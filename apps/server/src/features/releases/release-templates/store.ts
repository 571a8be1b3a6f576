import { anyList, jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Milestone } from './milestone.ts';
import type { Template } from './template.ts';

const milestonesColumn = jsonColumn('release_templates.milestones', anyList<Milestone>());

const select = (db: Db) => db.selectFrom('release_templates').selectAll();

/**
 * Lists the templates that are archived, or those that are not, by name. With a project, those that flags of the
 * project can use.
 */
export async function listTemplates(db: Db, archived: boolean, project?: string): Promise<Template[]> {
  let query = select(db).where('archived_at', archived ? 'is not' : 'is', null);
  if (project !== undefined)
    query = query.where((eb) => eb.or([eb('project', 'is', null), eb('project', '=', project)]));
  return (await query.orderBy('name').execute()).map(fromRow);
}

/** Lists all templates, archived ones included, by name. */
export async function listAllTemplates(db: Db): Promise<Template[]> {
  return (await select(db).orderBy('name').execute()).map(fromRow);
}

export async function countTemplates(db: Db): Promise<number> {
  const query = db.selectFrom('release_templates').select((eb) => eb.fn.countAll<number>().as('count'));
  return (await query.where('archived_at', 'is', null).executeTakeFirstOrThrow()).count;
}

export async function findTemplate(db: Db, id: string): Promise<Template | undefined> {
  const row = await select(db).where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

/** Returns templates by their ids, archived ones included, with one statement. */
export async function findTemplates(db: Db, ids: readonly string[]): Promise<Template[]> {
  return ids.length === 0 ? [] : (await select(db).where('id', 'in', ids).execute()).map(fromRow);
}

export async function findTemplateNamed(db: Db, name: string): Promise<Template | undefined> {
  const row = await select(db).where('name', '=', name).executeTakeFirst();
  return row && fromRow(row);
}

/** Lists the templates of a project, archived ones included, by name. */
export async function templatesOfProject(db: Db, project: string): Promise<Template[]> {
  return (await select(db).where('project', '=', project).orderBy('name').execute()).map(fromRow);
}

export async function insertTemplate(tx: Tx, template: Template): Promise<void> {
  await tx.db.insertInto('release_templates').values(toRow(template)).execute();
}

export async function updateTemplate(tx: Tx, template: Template): Promise<void> {
  const { id, ...row } = toRow(template);
  await tx.db.updateTable('release_templates').set(row).where('id', '=', id).execute();
}

export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx.db.deleteFrom('release_templates').where('id', '=', id).execute();
}

function toRow(template: Template): Row<'release_templates'> {
  return {
    id: template.id,
    name: template.name,
    description: template.description,
    project: template.project,
    milestones: milestonesColumn.write(template.milestones),
    created_by_user_id: template.createdByUserId,
    created_at: template.createdAt,
    archived_at: template.archivedAt,
  };
}

function fromRow(row: Row<'release_templates'>): Template {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    project: row.project,
    createdByUserId: row.created_by_user_id,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    milestones: milestonesColumn.parse(row.milestones, row.id),
  };
}
