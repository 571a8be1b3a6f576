import { type Completion, type FeatureRef, recordEvents, requireUsable } from '#features/flags/feature/index.ts';
import type { Tx } from '#storage/tx.ts';
import { setCompletion } from './store.ts';

/** Marks a flag as completed. Records no event when it is completed with the same status and value. */
export async function completeFeature(
  tx: Tx,
  ref: FeatureRef,
  { status, value }: Omit<Completion, 'at'>,
): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  const { completed } = feature;
  if (completed?.status === status && completed.value === value) return;
  await setCompletion(tx, feature.name, { at: tx.now, status, value });
  const data = { status, ...(value === null ? {} : { statusValue: value }), kept: status === 'kept' };
  await recordEvents(tx, feature, { type: 'feature-completed', data });
}

/** Reverts a completed flag to its previous stage. Records no event when the flag is not completed. */
export async function uncompleteFeature(tx: Tx, ref: FeatureRef): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  if (feature.completed === null) return;
  await setCompletion(tx, feature.name, null);
  await recordEvents(tx, feature, { type: 'feature-uncompleted' });
}
