import { prepared } from '#storage/prepared-query.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { FeatureTag } from './feature.ts';

/** Returns the tags of a flag, sorted. */
export async function listTags(db: Db, featureName: string): Promise<FeatureTag[]> {
  return (await tagsByFeature(db, [featureName])).get(featureName) ?? [];
}

const selectTags = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  db
    .selectFrom('feature_tags')
    .select(['feature_name', 'type', 'value'])
    .where('feature_name', 'in', names)
    .orderBy('feature_name')
    .orderBy('type')
    .orderBy('value'),
);

/** Returns the tags of flags by flag name, with one statement. Flags without tags are absent. */
export async function tagsByFeature(db: Db, names: readonly string[]): Promise<Map<string, FeatureTag[]>> {
  if (names.length === 0) return new Map();
  const rows = await selectTags(db, { names });
  const tags = new Map<string, FeatureTag[]>();
  for (const { feature_name, type, value } of rows) {
    const found = tags.get(feature_name);
    if (found === undefined) tags.set(feature_name, [{ type, value }]);
    else found.push({ type, value });
  }
  return tags;
}

/** A tag on a flag. */
export interface TagOfFeature extends FeatureTag {
  readonly featureName: string;
}

/** Lists the flags that have a tag, or any tag of a type. */
export async function listTagged(
  db: Db,
  { type, value }: { readonly type: string; readonly value?: string },
): Promise<TagOfFeature[]> {
  let query = db
    .selectFrom('feature_tags')
    .select(['feature_name as featureName', 'type', 'value'])
    .where('type', '=', type)
    .orderBy('value')
    .orderBy('feature_name');
  if (value !== undefined) query = query.where('value', '=', value);
  return query.execute();
}

/** Returns the names of the project's active flags that have a tag. */
export async function flagsTagged(
  db: Db,
  project: string,
  { type, value }: { readonly type: string; readonly value: string },
): Promise<string[]> {
  const rows = await ofProject(db, project)
    .select('t.feature_name')
    .where('t.type', '=', type)
    .where('t.value', '=', value)
    .orderBy('t.feature_name')
    .execute();
  return rows.map((row) => row.feature_name);
}

/** Returns the distinct tags of the project's active flags. */
export async function tagsInProject(db: Db, project: string): Promise<FeatureTag[]> {
  return ofProject(db, project).select(['t.type', 't.value']).distinct().orderBy('t.type').orderBy('t.value').execute();
}

function ofProject(db: Db, project: string) {
  return db
    .selectFrom('feature_tags as t')
    .innerJoin('features as f', 'f.name', 't.feature_name')
    .where('f.project', '=', project)
    .where('f.archived_at', 'is', null);
}

export async function insertTags(tx: Tx, tags: readonly TagOfFeature[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'feature_tags',
      columns: [
        ['feature_name', 'text'],
        ['type', 'text'],
        ['value', 'text'],
      ],
    },
    tags.map(({ featureName, type, value }) => [featureName, type, value]),
  );
}

/** Removes a tag from flags. */
export async function deleteTag(tx: Tx, names: readonly string[], tag: FeatureTag): Promise<void> {
  if (names.length === 0) return;
  await tx.db
    .deleteFrom('feature_tags')
    .where('feature_name', 'in', names)
    .where('type', '=', tag.type)
    .where('value', '=', tag.value)
    .execute();
}

/** Removes a tag, or all tags of a type, from all flags. */
export async function deleteTagRows(
  tx: Tx,
  { type, value }: { readonly type: string; readonly value?: string },
): Promise<void> {
  let query = tx.db.deleteFrom('feature_tags').where('type', '=', type);
  if (value !== undefined) query = query.where('value', '=', value);
  await query.execute();
}
