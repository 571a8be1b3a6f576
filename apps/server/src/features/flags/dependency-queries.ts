import type { Db } from '../../storage/tx.ts';
import { dependenciesOf, listPossibleParents } from './dependency-store.ts';
import type { FeatureRef } from './feature.ts';
import { requireFeature } from './require.ts';
import { listStrategies } from './strategy-store.ts';
import { variantsByEnvironment } from './variant-store.ts';

/** Names of the flags that a flag could depend on: none when a flag depends on it. 404 for an unknown flag. */
export async function possibleParents(db: Db, ref: FeatureRef): Promise<string[]> {
  const { name, project } = await requireFeature(db, ref);
  const { children } = await dependenciesOf(db, [name]);
  return children.length > 0 ? [] : listPossibleParents(db, project, name);
}

/** Names of the variants that a flag has in any environment, its strategies' and its own, in order. 404 for an unknown flag. */
export async function variantNames(db: Db, ref: FeatureRef): Promise<string[]> {
  const { name } = await requireFeature(db, ref);
  const [strategies, own] = await Promise.all([listStrategies(db, [name]), variantsByEnvironment(db, name)]);
  const variants = [...strategies.flatMap((strategy) => strategy.variants), ...[...own.values()].flat()];
  return [...new Set(variants.map((variant) => variant.name))].toSorted();
}
