import {
  deleteTag,
  type FeatureRef,
  type FeatureRefs,
  type FeatureTag,
  insertTags,
  listTags,
  recordEvents,
  recordFeatureEvents,
  requireFeatures,
  requireNotArchived,
  requireUsable,
  tagsByFeature,
} from '#features/flags/feature/index.ts';
import { distinctTags, ensureTags, includesTag, type NewTag, withoutColors } from '#features/flags/tags/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';

/** Tags to add to flags and to remove from them. */
export interface TagChange {
  readonly added: readonly NewTag[];
  readonly removed: readonly FeatureTag[];
  /** Returns the path of the added tag's type in the request, for error details. */
  readonly fieldOf: (index: number) => string;
}

/**
 * Adds tags to flags and removes others, on all flags or, when one flag cannot be changed, on none. Skips tags that are
 * present or absent already. A tag in both lists stays. Creates unknown tags; rejects with 400 for an unknown tag type.
 */
export async function changeTags(tx: Tx, refs: FeatureRefs, { added, removed, fieldOf }: TagChange): Promise<void> {
  const features = await requireFeatures(tx.db, refs);
  requireNotArchived(features);
  await ensureTags(tx, added, fieldOf);
  const present = await tagsByFeature(
    tx.db,
    features.map(({ name }) => name),
  );
  const toAdd = features.map((feature) => ({
    feature,
    tags: withoutColors(distinctTags(added)).filter((tag) => !includesTag(present.get(feature.name) ?? [], tag)),
  }));
  await insertTags(
    tx,
    toAdd.flatMap(({ feature, tags }) => tags.map((tag) => ({ featureName: feature.name, ...tag }))),
  );
  const toRemove = withoutColors(distinctTags(removed))
    .filter((tag) => !includesTag(added, tag))
    .map((tag) => ({ tag, features: features.filter(({ name }) => includesTag(present.get(name) ?? [], tag)) }));
  for (const removal of toRemove) {
    await deleteTag(
      tx,
      removal.features.map(({ name }) => name),
      removal.tag,
    );
  }
  await recordFeatureEvents(tx, [
    ...toAdd.flatMap(({ feature, tags }) =>
      tags.map((tag) => ({ feature, event: { type: 'feature-tagged', data: tag } as const })),
    ),
    ...toRemove.flatMap((removal) =>
      removal.features.map((feature) => ({
        feature,
        event: { type: 'feature-untagged', preData: removal.tag } as const,
      })),
    ),
  ]);
}

/** Removes a tag from a flag. Rejects with 404 when the flag does not have it. */
export async function removeTag(tx: Tx, ref: FeatureRef, tag: FeatureTag): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  if (!includesTag(await listTags(tx.db, feature.name), tag)) {
    throw new Problem('NotFoundError', `The flag ${feature.name} has no tag ${tag.type}:${tag.value}.`);
  }
  await deleteTag(tx, [feature.name], tag);
  await recordEvents(tx, feature, { type: 'feature-untagged', preData: tag });
}
