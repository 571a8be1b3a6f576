import type { Db, Tx } from '../../../storage/tx.ts';
import { type FeatureEvent, type FeatureRef, recordEvents, requireFeature, requireUsable } from '../feature/index.ts';
import { environmentsOf, notInEnvironment } from '../states/index.ts';
import { putVariants, variantsByEnvironment } from './store.ts';
import { distributeWeights, type FlagVariant } from './variant.ts';

export interface VariantsRef extends FeatureRef {
  readonly environments: readonly string[];
}

/**
 * Gives a flag in each of the environments the variants that `edit` makes of those it has there, weights shared out to
 * make 1000; in all of them, or in none. `field` names the list in the request, for refusals. 404 for an environment
 * that the flag is not in. Nothing is recorded where nothing changes.
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
    const after = distributeWeights(edit(before), field);
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    await putVariants(tx, feature.name, environment, after);
    const [preData, data] = [{ variants: before }, { variants: after }];
    events.push({ type: 'feature-environment-variants-updated', environment, preData, data });
  }
  await recordEvents(tx, feature, ...events);
}

/** The variants of a flag in an environment. 404 for a flag or an environment that is not there. */
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
