import type { NewEvent, Tx } from '#storage/tx.ts';
import type { Feature, FeatureTag } from './feature.ts';
import { tagsByFeature } from './tag-store.ts';

/** An event of a flag. Recording adds the project, the name and the tags. */
export type FeatureEvent = Pick<NewEvent, 'type' | 'environment' | 'data' | 'preData'>;

/** Records events of flags, each with the current tags of its flag (docs/spec#event-fields), with one statement. */
export async function recordFeatureEvents(
  tx: Tx,
  events: readonly { readonly feature: Feature; readonly event: FeatureEvent }[],
): Promise<void> {
  const tags = await tagsByFeature(tx.db, [...new Set(events.map(({ feature }) => feature.name))]);
  for (const { feature, event } of events) recordEventsWithTags(tx, feature, tags.get(feature.name) ?? [], event);
}

/** Records events of a flag whose tags are known. */
export function recordEventsWithTags(
  tx: Tx,
  feature: Feature,
  tags: readonly FeatureTag[],
  ...events: readonly FeatureEvent[]
): void {
  const { project, name } = feature;
  for (const event of events) tx.record({ ...event, project, featureName: name, tags });
}

/** Records events of one flag, see {@link recordFeatureEvents}. */
export function recordEvents(tx: Tx, feature: Feature, ...events: readonly FeatureEvent[]): Promise<void> {
  return recordFeatureEvents(
    tx,
    events.map((event) => ({ feature, event })),
  );
}
