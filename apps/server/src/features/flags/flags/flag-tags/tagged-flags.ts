import { deleteTagRows, findFeatures, listTagged, recordFeatureEvents } from '#features/flags/feature/index.ts';
import type { TaggedFlags } from '#features/flags/tags/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Tx } from '#storage/tx.ts';

/** The functions on flags that the tags feature needs. They change archived flags too. */
export const taggedFlags: TaggedFlags = { untag };

async function untag(tx: Tx, tags: { readonly type: string; readonly value?: string }): Promise<void> {
  const tagged = Map.groupBy(await listTagged(tx.db, tags), (row) => row.featureName);
  await deleteTagRows(tx, tags);
  for (const names of chunksOf([...tagged.keys()])) {
    const features = await findFeatures(tx.db, names);
    await recordFeatureEvents(
      tx,
      features.flatMap((feature) =>
        (tagged.get(feature.name) ?? []).map(({ type, value }) => ({
          feature,
          event: { type: 'feature-untagged' as const, preData: { type, value } },
        })),
      ),
    );
  }
}
