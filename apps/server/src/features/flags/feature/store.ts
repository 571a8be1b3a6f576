import type { FlagFields } from '@yardarm/contract';
import { chunksOf } from '#kernel/lists.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Completion, Feature } from './feature.ts';

/** The columns of the fields that people set, with their types. */
const fieldColumns = {
  type: 'text',
  description: 'text',
  impression_data: 'integer',
  stale: 'integer',
} as const satisfies Partial<Record<keyof Row<'features'>, 'text' | 'integer'>>;

type FieldRow = Pick<Row<'features'>, keyof typeof fieldColumns>;

/** The names of {@link fieldColumns}. */
export const fieldColumnNames = Object.keys(fieldColumns) as (keyof FieldRow)[];

/** The columns that {@link toFeature} reads. */
export const featureColumns = [
  ...fieldColumnNames,
  'name',
  'project',
  'created_at',
  'created_by_user_id',
  'archived_at',
  'last_seen_at',
  'pre_live_at',
  'live_at',
  'completed_at',
  'completed_status',
  'completed_value',
] as const;

export async function findFeature(db: Db, name: string): Promise<Feature | undefined> {
  const [feature] = await findFeatures(db, [name]);
  return feature;
}

const selectNamed = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  db.selectFrom('features').select(featureColumns).where('name', 'in', names),
);

/** Returns the named flags; unknown names are left out. */
export async function findFeatures(db: Db, names: readonly string[]): Promise<Feature[]> {
  if (names.length === 0) return [];
  return (await selectNamed(db, { names })).map(toFeature);
}

/** Returns the names of the archived flags of a project. */
export async function listArchived(db: Db, project: string): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .select('name')
    .where('project', '=', project)
    .where('archived_at', 'is not', null)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Counts the flags that are not archived, of the instance or of a project. */
export async function countInUse(db: Db, project?: string): Promise<number> {
  let query = db.selectFrom('features').where('archived_at', 'is', null);
  if (project !== undefined) query = query.where('project', '=', project);
  const row = await query.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  return row.n;
}

export async function insertFeatures(tx: Tx, features: readonly Feature[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'features',
      columns: [
        ['name', 'text'],
        ['project', 'text'],
        ...Object.entries(fieldColumns),
        ['created_at', 'integer'],
        ['created_by_user_id', 'integer'],
        ['archived_at', 'integer'],
        ['last_seen_at', 'integer'],
      ],
    },
    features.map((feature) => [
      feature.name,
      feature.project,
      ...Object.values(toFieldRow(feature)),
      feature.createdAt,
      feature.createdByUserId,
      feature.archivedAt,
      feature.lastSeenAt,
    ]),
  );
}

/**
 * Updates the changed fields of flags, with one statement for each thousand flags in which the same fields get the same
 * values.
 */
export async function updateFeatures(
  tx: Tx,
  changes: readonly { readonly before: Feature; readonly after: Feature }[],
): Promise<void> {
  const changed = changes.map(({ before, after }) => {
    const old = new Map<string, unknown>(Object.entries(toFieldRow(before)));
    const fields = Object.entries(toFieldRow(after)).filter(([column, value]) => value !== old.get(column));
    return { name: after.name, row: Object.fromEntries(fields) as Partial<FieldRow> };
  });
  for (const [text, flags] of Map.groupBy(changed, ({ row }) => JSON.stringify(row))) {
    const [first] = flags;
    if (text === '{}' || first === undefined) continue;
    for (const part of chunksOf(flags.map(({ name }) => name)))
      await tx.db.updateTable('features').set(first.row).where('name', 'in', part).execute();
  }
}

export async function setArchivedAt(tx: Tx, names: readonly string[], archivedAt: number | null): Promise<void> {
  await tx.db.updateTable('features').set({ archived_at: archivedAt }).where('name', 'in', names).execute();
}

/** Changes the project of a flag. */
export async function setProject(tx: Tx, name: string, project: string): Promise<void> {
  await tx.db.updateTable('features').set({ project }).where('name', '=', name).execute();
  await tx.db.updateTable('feature_strategy_fields').set({ project }).where('feature_name', '=', name).execute();
}

/** The tables of usage counts, whose rows name a flag without a foreign key, because they are written in bulk. */
const usageTables = [
  'client_metrics',
  'client_metric_variants',
  'client_metrics_daily',
  'client_metric_variants_daily',
] as const;

/**
 * Deletes flags with their states, strategies, tags and usage counts, so that a new flag with the name of a deleted one
 * starts its counts at 0.
 */
export async function deleteFeatureRows(tx: Tx, names: readonly string[]): Promise<void> {
  for (const table of usageTables) await tx.db.deleteFrom(table).where('feature_name', 'in', names).execute();
  await tx.db.deleteFrom('features').where('name', 'in', names).execute();
}

/** Returns the columns of the fields of a flag, in the order of {@link fieldColumns}. */
function toFieldRow({ type, description, impressionData, stale }: FlagFields): FieldRow {
  return { type, description, impression_data: Number(impressionData), stale: Number(stale) };
}

/** Returns the fields of a flag from its row. */
export function toFlagFields({ type, description, impression_data, stale }: FieldRow): FlagFields {
  return { type: type as FlagFields['type'], description, impressionData: impression_data === 1, stale: stale === 1 };
}

export type FeatureRow = Pick<Row<'features'>, (typeof featureColumns)[number]>;

export function toFeature(row: FeatureRow): Feature {
  return {
    name: row.name,
    project: row.project,
    ...toFlagFields(row),
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
    archivedAt: row.archived_at,
    lastSeenAt: row.last_seen_at,
    preLiveAt: row.pre_live_at,
    liveAt: row.live_at,
    completed: completionOf(row),
  };
}

function completionOf(row: FeatureRow): Completion | null {
  if (row.completed_at === null) return null;
  return { at: row.completed_at, status: row.completed_status as Completion['status'], value: row.completed_value };
}
