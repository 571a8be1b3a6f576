import { type Constraint, contextNamesOf, storedConstraints } from '#features/platform/constraints/index.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Segment } from './segment.ts';

/** The constraints of a segment. */
export const constraintsColumn = jsonColumn('segments.constraints', storedConstraints);

const columns = ['id', 'name', 'description', 'project', 'constraints', 'created_by', 'created_at'] as const;

/** Returns all segments, or those of a project, ordered by name. */
export async function listSegments(db: Db, project?: string): Promise<Segment[]> {
  let query = db.selectFrom('segments').select(columns).orderBy('name');
  if (project !== undefined) query = query.where('project', '=', project);
  return (await query.execute()).map(toSegment);
}

/** Returns the existing segments of these ids. */
export async function findSegments(db: Db, ids: readonly number[]): Promise<Segment[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('segments').select(columns).where('id', 'in', ids).orderBy('id').execute();
  return rows.map(toSegment);
}

export async function findSegmentNamed(db: Db, name: string): Promise<Segment | undefined> {
  const row = await db.selectFrom('segments').select(columns).where('name', '=', name).executeTakeFirst();
  return row && toSegment(row);
}

export async function countSegments(db: Db): Promise<number> {
  const row = await db
    .selectFrom('segments')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Inserts a segment and returns it with its new id. */
export async function insertSegment(tx: Tx, segment: Omit<Segment, 'id'>): Promise<Segment> {
  const { id } = await tx.db
    .insertInto('segments')
    .values({
      name: segment.name,
      description: segment.description,
      project: segment.project,
      constraints: constraintsColumn.write(segment.constraints),
      created_by: segment.createdBy,
      created_at: segment.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertFields(tx, id, segment.constraints);
  return { ...segment, id };
}

export async function updateSegmentRow(tx: Tx, segment: Segment): Promise<void> {
  await tx.db
    .updateTable('segments')
    .set({
      name: segment.name,
      description: segment.description,
      project: segment.project,
      constraints: constraintsColumn.write(segment.constraints),
    })
    .where('id', '=', segment.id)
    .execute();
  await tx.db.deleteFrom('segment_fields').where('segment_id', '=', segment.id).execute();
  await insertFields(tx, segment.id, segment.constraints);
}

export async function deleteSegmentRows(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.db.deleteFrom('segments').where('id', 'in', ids).execute();
}

/** Stores the context fields that the constraints of a segment use. */
async function insertFields(tx: Tx, id: number, constraints: readonly Constraint[]): Promise<void> {
  const names = contextNamesOf(constraints);
  if (names.length === 0) return;
  await tx.insertMany(
    {
      table: 'segment_fields',
      columns: [
        ['segment_id', 'integer'],
        ['field', 'text'],
      ],
    },
    names.map((name) => [id, name]),
  );
}

function toSegment(row: Row<'segments'>): Segment {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    project: row.project,
    constraints: constraintsColumn.parse(row.constraints, row.id),
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
