import {
  type FeatureEvent,
  type FeatureRef,
  recordEvents,
  requireFeature,
  requireUsable,
} from '#features/flags/feature/index.ts';
import { environmentsOf, notInEnvironment } from '#features/flags/states/index.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { putVariants, variantsByEnvironment } from './store.ts';
import { distributeWeights, type FlagVariant } from './variant.ts';

export interface VariantsRef extends FeatureRef {
  readonly environments: readonly string[];
}

/**
 * Sets a flag's own variants in each of the environments to the variants that `edit` derives from the current ones,
 * with weights distributed to a sum of 1000. Changes all environments or none. `field` is the path of the list in the
 * request, for error details. Rejects with 404 for an environment that the flag is not in. Records no event where
 * nothing changes.
 */
export async function changeVariants(
  tx: Tx,
  place: VariantsRef,
  field: string,
  edit: (current: readonly FlagVariant[]) => readonly FlagVariant[],
): Promise<void> {
  const feature = await requireUsable(tx.db, place);
  await requireEnvironments(tx.db, place);
  const present = await variantsByEnvironment(tx.db, feature.name);
  const events: FeatureEvent[] = [];
  for (const environment of new Set(place.environments)) {
    const before = present.get(environment) ?? [];
    const after = distributeWeights(edit(before), { field, kept: before });
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    await putVariants(tx, feature.name, environment, after);
    const [preData, data] = [{ variants: before }, { variants: after }];
    events.push({ type: 'feature-environment-variants-updated', environment, preData, data });
  }
  await recordEvents(tx, feature, ...events);
}

/** Returns a flag's own variants in an environment. Rejects with 404 for an unknown flag or environment. */
export async function listVariantsOf(
  db: Db,
  ref: FeatureRef & { readonly environment: string },
): Promise<readonly FlagVariant[]> {
  const { name } = await requireFeature(db, ref);
  await requireEnvironments(db, { ...ref, environments: [ref.environment] });
  return (await variantsByEnvironment(db, name)).get(ref.environment) ?? [];
}

async function requireEnvironments(db: Db, { featureName, environments }: VariantsRef): Promise<void> {
  const known = await environmentsOf(db, featureName);
  const unknown = environments.find((environment) => !known.includes(environment));
  if (unknown !== undefined) throw notInEnvironment(featureName, unknown);
}
