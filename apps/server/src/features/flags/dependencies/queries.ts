import { type FeatureRef, findFeature, requireFeature } from '#features/flags/feature/index.ts';
import { listStrategies } from '#features/flags/strategies/index.ts';
import { variantsByEnvironment } from '#features/flags/variants/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Db } from '#storage/tx.ts';
import { dependenciesOf, listPossibleParents } from './store.ts';

/**
 * Returns the names of the flags that a flag could depend on; none when it is itself a parent. Rejects with 404 for an
 * unknown flag.
 */
export async function possibleParents(db: Db, ref: FeatureRef): Promise<string[]> {
  const { name, project } = await requireFeature(db, ref);
  const { children } = await dependenciesOf(db, [name]);
  return children.length > 0 ? [] : listPossibleParents(db, project, name);
}

/**
 * Returns the sorted names of the variants that a flag and its strategies have in any environment; none for an unknown
 * flag. Rejects with 404 for an unknown project.
 */
export async function variantNames(db: Db, ref: FeatureRef): Promise<string[]> {
  await requireProject(db, ref.project);
  const feature = await findFeature(db, ref.featureName);
  if (feature?.project !== ref.project) return [];
  const { name } = feature;
  const [strategies, own] = await Promise.all([listStrategies(db, [name]), variantsByEnvironment(db, name)]);
  const variants = [...strategies.flatMap((strategy) => strategy.variants), ...[...own.values()].flat()];
  return [...new Set(variants.map((variant) => variant.name))].toSorted();
}
