import type { NewEvent, Tx } from '../../../storage/tx.ts';
import type { Feature, FeatureTag } from './feature.ts';
import { tagsByFeature } from './tag-store.ts';

/** An event of a flag, whose project, name and tags are added when it is recorded. */
export type FeatureEvent = Pick<NewEvent, 'type' | 'environment' | 'data' | 'preData'>;

/**
 * Records what happened to flags, each event with the tags its flag has by then (docs/spec#event-fields). One
 * statement.
 */
export async function recordOf(
  tx: Tx,
  events: readonly { readonly feature: Feature; readonly event: FeatureEvent }[],
): Promise<void> {
  const tags = await tagsByFeature(tx.db, [...new Set(events.map(({ feature }) => feature.name))]);
  for (const { feature, event } of events) recordTagged(tx, feature, tags.get(feature.name) ?? [], event);
}

/** Records what happened to a flag whose tags are known. */
export function recordTagged(
  tx: Tx,
  feature: Feature,
  tags: readonly FeatureTag[],
  ...events: readonly FeatureEvent[]
): void {
  const { project, name } = feature;
  for (const event of events) tx.record({ ...event, project, featureName: name, tags });
}

/** {@link recordOf} for one flag. */
export function recordFor(tx: Tx, feature: Feature, ...events: readonly FeatureEvent[]): Promise<void> {
  return recordOf(
    tx,
    events.map((event) => ({ feature, event })),
  );
}
