import type { Db, Tx } from '../../storage/tx.ts';
import type { FeatureTag } from './feature.ts';

/** Tags of one flag, in their order. */
export async function listTags(db: Db, featureName: string): Promise<FeatureTag[]> {
  return db
    .selectFrom('feature_tags')
    .select(['type', 'value'])
    .where('feature_name', '=', featureName)
    .orderBy('type')
    .orderBy('value')
    .execute();
}

/** Tags of the named flags, by flag; one without any is absent. One statement. */
export async function tagsByFeature(db: Db, names: readonly string[]): Promise<Map<string, FeatureTag[]>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('feature_tags')
    .select(['feature_name', 'type', 'value'])
    .where('feature_name', 'in', names)
    .orderBy('feature_name')
    .orderBy('type')
    .orderBy('value')
    .execute();
  const tags = new Map<string, FeatureTag[]>();
  for (const { feature_name, type, value } of rows) {
    const found = tags.get(feature_name);
    if (found === undefined) tags.set(feature_name, [{ type, value }]);
    else found.push({ type, value });
  }
  return tags;
}

export async function insertTags(tx: Tx, featureName: string, tags: readonly FeatureTag[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'feature_tags',
      columns: [
        ['feature_name', 'text'],
        ['type', 'text'],
        ['value', 'text'],
      ],
    },
    tags.map(({ type, value }) => [featureName, type, value]),
  );
}

export async function deleteTag(tx: Tx, featureName: string, tag: FeatureTag): Promise<void> {
  await tx.db
    .deleteFrom('feature_tags')
    .where('feature_name', '=', featureName)
    .where('type', '=', tag.type)
    .where('value', '=', tag.value)
    .execute();
}
