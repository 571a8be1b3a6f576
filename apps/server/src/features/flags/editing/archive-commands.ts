import { Problem } from '../../../kernel/errors.ts';
import type { Tx } from '../../../storage/tx.ts';
import { requireProjectInUse } from '../../projects/index.ts';
import { releaseArchived } from '../dependencies/index.ts';
import {
  deleteFeatureRows,
  type FeatureRefs,
  featureEventData,
  recordOf,
  recordTagged,
  requireFeatures,
  setArchivedAt,
  tagsByFeature,
} from '../feature/index.ts';
import { switchOffEverywhere } from '../states/index.ts';
import { requireRoom, requireRoomIn } from './room.ts';

/**
 * Archives flags: SDKs no longer get them, and what they depended on is forgotten. Those that are archived already stay
 * as they are. 403 while a flag that is not among them depends on one.
 */
export async function archiveFeatures(tx: Tx, refs: FeatureRefs): Promise<void> {
  const features = (await requireFeatures(tx.db, refs)).filter(({ archivedAt }) => archivedAt === null);
  if (features.length === 0) return;
  const names = features.map(({ name }) => name);
  const released = await releaseArchived(tx, names);
  await setArchivedAt(tx, names, tx.now);
  await recordOf(
    tx,
    features.flatMap((feature) => [
      ...(released.has(feature.name) ? [{ feature, event: { type: 'feature-dependencies-removed' } as const }] : []),
      { feature, event: { type: 'feature-archived' } as const },
    ]),
  );
}

/**
 * Brings archived flags back, off in every environment (docs/spec#archive-and-revive). Those in use stay as they are.
 * 400 when there would be more than `limit` flags in use, 403 while their project is archived or takes no more.
 */
export async function reviveFeatures(tx: Tx, limit: number, refs: FeatureRefs): Promise<void> {
  const features = (await requireFeatures(tx.db, refs)).filter(({ archivedAt }) => archivedAt !== null);
  if (features.length === 0) return;
  const project = await requireProjectInUse(tx.db, refs.project);
  await requireRoom(tx, limit, features.length);
  await requireRoomIn(tx.db, project, features.length);
  const names = features.map(({ name }) => name);
  await setArchivedAt(tx, names, null);
  await switchOffEverywhere(tx, names);
  await recordOf(
    tx,
    features.map((feature) => ({ feature, event: { type: 'feature-revived' } })),
  );
}

/** Deletes archived flags for good; their names are free again. 403 when one of them is not archived. */
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
    recordTagged(tx, feature, own, { type: 'feature-deleted', preData: featureEventData(feature, own) });
  }
}
