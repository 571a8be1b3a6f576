import { Problem } from '../../../kernel/errors.ts';
import type { Tx } from '../../../storage/tx.ts';
import { distinctTags, ensureTags, includesTag, type NewTag, withoutColors } from '../../tags/index.ts';
import {
  deleteTag,
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  type FeatureRefs,
  type FeatureTag,
  insertTags,
  listTags,
  recordFor,
  recordOf,
  requireFeatures,
  requireNotArchived,
  requireUsable,
  tagsByFeature,
} from '../feature/index.ts';

/** Tags to put on flags and to take off. */
export interface TagChange {
  readonly added: readonly NewTag[];
  readonly removed: readonly FeatureTag[];
  /** What the list of added tags, or the one tag, is called in the request; for refusals. */
  readonly fieldOf: (index: number) => string;
}

/**
 * Adds tags to flags and takes others off: of all of them, or of none when one cannot be changed. What is there
 * already, or is not there, stays as it is; a tag that is in both lists is there afterwards. A tag that there is not
 * is created; 400 for a type that there is not.
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
  for (const one of toRemove) {
    await deleteTag(
      tx,
      one.features.map(({ name }) => name),
      one.tag,
    );
  }
  await recordOf(tx, [
    ...toAdd.flatMap(({ feature, tags }) => tags.map((tag) => of(feature, { type: 'feature-tagged', data: tag }))),
    ...toRemove.flatMap((one) =>
      one.features.map((feature) => of(feature, { type: 'feature-untagged', preData: one.tag })),
    ),
  ]);
}

/** Takes one tag off a flag. 404 when it has no such tag. */
export async function removeTag(tx: Tx, ref: FeatureRef, tag: FeatureTag): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  if (!includesTag(await listTags(tx.db, feature.name), tag)) {
    throw new Problem('NotFoundError', `The flag ${feature.name} has no tag ${tag.type}:${tag.value}.`);
  }
  await deleteTag(tx, [feature.name], tag);
  await recordFor(tx, feature, { type: 'feature-untagged', preData: tag });
}

function of(feature: Feature, event: FeatureEvent) {
  return { feature, event };
}
