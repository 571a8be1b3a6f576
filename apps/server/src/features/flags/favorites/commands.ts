import { type FeatureRef, requireFeature } from '#features/flags/feature/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Tx } from '#storage/tx.ts';
import * as store from './store.ts';

/** Adds a flag, archived or not, to the owner's favorites or removes it. Records no event when nothing changes. */
export async function setFeatureFavorite(
  tx: Tx,
  owner: store.Owner,
  ref: FeatureRef,
  favorite: boolean,
): Promise<void> {
  const { name } = await requireFeature(tx.db, ref);
  const changed = favorite ? await store.addFeature(tx, owner, name) : await store.removeFeature(tx, owner, name);
  if (!changed) return;
  // The event names no project, so that members of the project do not see whose favorite the flag is
  // (docs/spec#event-types).
  const type = favorite ? 'feature-favorited' : 'feature-unfavorited';
  tx.record({ type, featureName: name, data: { feature: name } });
}

/** Like {@link setFeatureFavorite}, for a project. */
export async function setProjectFavorite(
  tx: Tx,
  owner: store.Owner,
  project: string,
  favorite: boolean,
): Promise<void> {
  const { id } = await requireProject(tx.db, project);
  const changed = favorite ? await store.addProject(tx, owner, id) : await store.removeProject(tx, owner, id);
  if (!changed) return;
  const type = favorite ? 'project-favorited' : 'project-unfavorited';
  tx.record({ type, project: id, data: { project: id } });
}
