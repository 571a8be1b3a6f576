import type { Tx } from '../../../storage/tx.ts';
import type { TaggedFlags } from '../../tags/index.ts';
import { deleteTagRows, findFeatures, listTagged, recordFeatureEvents } from '../feature/index.ts';

/** The maximum number of flag names in one statement. */
const chunk = 1000;

/** The functions on flags that the tags feature needs. They change archived flags too. */
export const taggedFlags: TaggedFlags = { untag };

async function untag(tx: Tx, tags: { readonly type: string; readonly value?: string }): Promise<void> {
  const tagged = Map.groupBy(await listTagged(tx.db, tags), (row) => row.featureName);
  await deleteTagRows(tx, tags);
  const names = [...tagged.keys()];
  for (let from = 0; from < names.length; from += chunk) {
    const features = await findFeatures(tx.db, names.slice(from, from + chunk));
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
