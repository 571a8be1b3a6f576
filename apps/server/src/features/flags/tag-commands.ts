import { Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import type { FeatureRef, FeatureTag } from './feature.ts';
import { recordFor } from './record.ts';
import { requireUsable } from './require.ts';
import { deleteTag, insertTags, listTags } from './tag-store.ts';

/** Tags to put on a flag and to take off. */
export interface TagChange {
  readonly added: readonly FeatureTag[];
  readonly removed: readonly FeatureTag[];
}

/**
 * Adds tags to a flag and takes others off. What is there already, or is not there, stays as it is; a tag that is
 * in both lists is there afterwards.
 */
export async function changeTags(tx: Tx, ref: FeatureRef, { added, removed }: TagChange): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  const present = await listTags(tx.db, feature.name);
  const toAdd = distinct(added).filter((tag) => !holds(present, tag));
  const toRemove = distinct(removed).filter((tag) => holds(present, tag) && !holds(added, tag));
  await insertTags(tx, feature.name, toAdd);
  for (const tag of toRemove) await deleteTag(tx, feature.name, tag);
  await recordFor(
    tx,
    feature,
    ...toAdd.map((tag) => ({ type: 'feature-tagged' as const, data: tag })),
    ...toRemove.map((tag) => ({ type: 'feature-untagged' as const, preData: tag })),
  );
}

/** Takes one tag off a flag. 404 when it has no such tag. */
export async function removeTag(tx: Tx, ref: FeatureRef, tag: FeatureTag): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  if (!holds(await listTags(tx.db, feature.name), tag)) {
    throw new Problem('NotFoundError', `The flag ${feature.name} has no tag ${tag.type}:${tag.value}.`);
  }
  await deleteTag(tx, feature.name, tag);
  await recordFor(tx, feature, { type: 'feature-untagged', preData: tag });
}

/** Each tag once, in the order in which they first come. */
export function distinct(tags: readonly FeatureTag[]): FeatureTag[] {
  return tags.filter((tag, index) => !holds(tags.slice(0, index), tag));
}

function holds(tags: readonly FeatureTag[], { type, value }: FeatureTag): boolean {
  return tags.some((one) => one.type === type && one.value === value);
}
