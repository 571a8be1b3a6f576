import { removeDependenciesOfArchived } from '#features/flags/dependencies/index.ts';
import {
  deleteFeatureRows,
  type FeatureRefs,
  featureEventData,
  recordEventsWithTags,
  recordFeatureEvents,
  requireFeatures,
  setArchivedAt,
  tagsByFeature,
} from '#features/flags/feature/index.ts';
import { switchOffEverywhere } from '#features/flags/states/index.ts';
import { requireProjectInUse } from '#features/projects/projects/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { requireFeatureLimit, requireProjectFeatureLimit } from './feature-limits.ts';

/**
 * Archives flags and deletes their dependencies; SDKs no longer receive them. Skips archived flags. Rejects with 403
 * when a flag that stays active depends on one of them.
 */
export async function archiveFeatures(tx: Tx, refs: FeatureRefs): Promise<void> {
  const features = (await requireFeatures(tx.db, refs)).filter(({ archivedAt }) => archivedAt === null);
  if (features.length === 0) return;
  const names = features.map(({ name }) => name);
  const released = await removeDependenciesOfArchived(tx, names);
  await setArchivedAt(tx, names, tx.now);
  await recordFeatureEvents(
    tx,
    features.flatMap((feature) => [
      ...(released.has(feature.name) ? [{ feature, event: { type: 'feature-dependencies-removed' } as const }] : []),
      { feature, event: { type: 'feature-archived' } as const },
    ]),
  );
}

/**
 * Revives archived flags, off in every environment (docs/spec#archive-and-revive). Skips active flags. Rejects with 400
 * when more than `limit` flags would be active, with 403 when the project is archived or its flag limit is reached.
 */
export async function reviveFeatures(tx: Tx, limit: number, refs: FeatureRefs): Promise<void> {
  const features = (await requireFeatures(tx.db, refs)).filter(({ archivedAt }) => archivedAt !== null);
  if (features.length === 0) return;
  const project = await requireProjectInUse(tx.db, refs.project);
  await requireFeatureLimit(tx, limit, features.length);
  await requireProjectFeatureLimit(tx.db, project, features.length);
  const names = features.map(({ name }) => name);
  await setArchivedAt(tx, names, null);
  await switchOffEverywhere(tx, names);
  await recordFeatureEvents(
    tx,
    features.map((feature) => ({ feature, event: { type: 'feature-revived' } })),
  );
}

/** Deletes archived flags for good and frees their names. Rejects with 403 when a flag is not archived. */
export async function deleteFeatures(tx: Tx, refs: FeatureRefs): Promise<void> {
  const features = await requireFeatures(tx.db, refs);
  const inUse = features.filter(({ archivedAt }) => archivedAt === null).map(({ name }) => name);
  if (inUse.length > 0) {
    throw new Problem(
      'InvalidOperationError',
      `Only archived flags can be deleted. Archive first: ${inUse.join(', ')}.`,
    );
  }
  const names = features.map(({ name }) => name);
  const tags = await tagsByFeature(tx.db, names);
  await deleteFeatureRows(tx, names);
  for (const feature of features) {
    const own = tags.get(feature.name) ?? [];
    recordEventsWithTags(tx, feature, own, { type: 'feature-deleted', preData: featureEventData(feature, own) });
  }
}
