import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import type { Feature, FeatureRef, FeatureRefs } from './feature.ts';
import { findFeature, findFeatures } from './store.ts';

/**
 * Returns the flag of any project. Rejects with 404 when it does not exist or its project is hidden from the caller.
 */
export async function requireFeatureNamed(db: Db, name: string, caller: Identity): Promise<Feature> {
  const feature = await findFeature(db, name);
  if (feature === undefined || caller.hidden.has(feature.project))
    throw new Problem('NotFoundError', `There is no flag ${name}.`);
  return feature;
}

/** Returns the flag, archived or not. Rejects with 404 when the project does not have it. */
export async function requireFeature(db: Db, { project, featureName }: FeatureRef): Promise<Feature> {
  const feature = await findFeature(db, featureName);
  if (feature?.project !== project) throw featureNotFound(project, [featureName]);
  return feature;
}

/** Returns the flag. Rejects with 404 when the project does not have it, with 400 when it is archived. */
export async function requireUsable(db: Db, ref: FeatureRef): Promise<Feature> {
  const feature = await requireFeature(db, ref);
  requireNotArchived([feature]);
  return feature;
}

/** Returns the distinct flags in the order of their names in the request. Rejects with 404 and the missing names. */
export async function requireFeatures(db: Db, { project, featureNames }: FeatureRefs): Promise<Feature[]> {
  const names = [...new Set(featureNames)];
  const found = new Map(
    (await findFeatures(db, names))
      .filter((feature) => feature.project === project)
      .map((feature) => [feature.name, feature]),
  );
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw featureNotFound(project, missing);
  return names.map((name) => found.get(name) as Feature);
}

/** Rejects with 400 and the names of the archived flags, if any. */
export function requireNotArchived(features: readonly Feature[]): void {
  const archived = features.filter(({ archivedAt }) => archivedAt !== null);
  if (archived.length === 0) return;
  const names = archived.map(({ name }) => name).join(', ');
  throw new Problem('ArchivedFeatureError', `An archived flag cannot be changed. Revive it first: ${names}.`);
}

/** Returns the 404 for flags that a project does not have. */
export function featureNotFound(project: string, names: readonly string[]): Problem {
  return new Problem('NotFoundError', `The project ${project} has no flag ${names.join(', ')}.`);
}
