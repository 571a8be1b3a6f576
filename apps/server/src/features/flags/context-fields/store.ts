import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { ContextField, LegalValue } from './context-field.ts';

const legalValuesColumn = jsonColumn<readonly LegalValue[]>(
  'context_fields.legal_values',
  z.array(z.object({ value: z.string(), description: z.string().optional() })),
);

const columns = ['name', 'description', 'stickiness', 'sort_order', 'legal_values', 'project', 'created_at'] as const;

/** Which context fields to list: shared fields, fields of one project, or both. */
export interface ContextFieldFilter {
  readonly shared: boolean;
  /** `*` for the fields of every project. */
  readonly project?: string | undefined;
}

/** Returns context fields in sort order. */
export async function listContextFields(db: Db, { shared, project }: ContextFieldFilter): Promise<ContextField[]> {
  let query = db.selectFrom('context_fields').select(columns).orderBy('sort_order').orderBy('name');
  if (project !== '*' || !shared) {
    query = query.where((eb) =>
      eb.or([
        ...(shared ? [eb('project', 'is', null)] : []),
        ...(project === undefined ? [] : [eb('project', '=', project)]),
      ]),
    );
  }
  return (await query.execute()).map(toContextField);
}

/** Returns the existing context fields of these names. */
export async function findContextFields(db: Db, names: readonly string[]): Promise<ContextField[]> {
  if (names.length === 0) return [];
  const rows = await db.selectFrom('context_fields').select(columns).where('name', 'in', names).execute();
  return rows.map(toContextField);
}

export async function insertContextField(tx: Tx, field: ContextField): Promise<void> {
  await tx.db
    .insertInto('context_fields')
    .values({
      name: field.name,
      description: field.description,
      stickiness: Number(field.stickiness),
      sort_order: field.sortOrder,
      legal_values: legalValuesColumn.write(field.legalValues),
      project: field.project,
      created_at: field.createdAt,
    })
    .execute();
}

/** Updates the columns of a context field that can change. */
export async function updateContextFieldRow(tx: Tx, field: ContextField): Promise<void> {
  await tx.db
    .updateTable('context_fields')
    .set({
      description: field.description,
      stickiness: Number(field.stickiness),
      sort_order: field.sortOrder,
      legal_values: legalValuesColumn.write(field.legalValues),
    })
    .where('name', '=', field.name)
    .execute();
}

export async function deleteContextFieldRows(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('context_fields').where('name', 'in', names).execute();
}

function toContextField(row: Row<'context_fields'>): ContextField {
  return {
    name: row.name,
    description: row.description,
    stickiness: row.stickiness === 1,
    sortOrder: row.sort_order,
    legalValues: legalValuesColumn.parse(row.legal_values, row.name),
    project: row.project,
    createdAt: row.created_at,
  };
}
