import type { Identity } from '../../../kernel/caller.ts';
import { Problem } from '../../../kernel/errors.ts';
import type { Db } from '../../../storage/tx.ts';
import type { Feature, FeatureRef, FeatureRefs } from './feature.ts';
import { findFeature, findFeatures } from './store.ts';

/** The flag of that name, in whatever project it is, or a 404; also when its project is hidden from the caller. */
export async function requireFeatureNamed(db: Db, name: string, caller: Identity): Promise<Feature> {
  const feature = await findFeature(db, name);
  if (feature === undefined || caller.hidden.has(feature.project))
    throw new Problem('NotFoundError', `There is no flag ${name}.`);
  return feature;
}

/** The flag, archived or not, or a 404; also when it belongs to another project. */
export async function requireFeature(db: Db, { project, featureName }: FeatureRef): Promise<Feature> {
  const feature = await findFeature(db, featureName);
  if (feature?.project !== project) throw featureNotFound(project, [featureName]);
  return feature;
}

/** The flag, or a 400 when it is archived. */
export async function requireUsable(db: Db, ref: FeatureRef): Promise<Feature> {
  const feature = await requireFeature(db, ref);
  requireNotArchived([feature]);
  return feature;
}

/** The flags in the order in which they were named, each once, or a 404 that names those there are not. */
export async function requireFeatures(db: Db, { project, featureNames }: FeatureRefs): Promise<Feature[]> {
  const names = [...new Set(featureNames)];
  const found = new Map(
    (await findFeatures(db, names)).filter((one) => one.project === project).map((one) => [one.name, one]),
  );
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw featureNotFound(project, missing);
  return names.map((name) => found.get(name) as Feature);
}

/** A 400 that names the archived ones, if there are any. */
export function requireNotArchived(features: readonly Feature[]): void {
  const archived = features.filter(({ archivedAt }) => archivedAt !== null);
  if (archived.length === 0) return;
  const names = archived.map(({ name }) => name).join(', ');
  throw new Problem('ArchivedFeatureError', `An archived flag cannot be changed. Revive it first: ${names}.`);
}

/** What is said of flags that a project does not have. */
export function featureNotFound(project: string, names: readonly string[]): Problem {
  return new Problem('NotFoundError', `The project ${project} has no flag ${names.join(', ')}.`);
}
