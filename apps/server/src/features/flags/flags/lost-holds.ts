import { findFeatures, recordFeatureEvents } from '#features/flags/feature/index.ts';
import { holdColumns, presentHold, toHold } from '#features/flags/held-state/index.ts';
import type { Tx } from '#storage/tx.ts';

/**
 * Records the release of the holds in an environment, only on flags of `project` when given. Must run before the flags
 * leave the environment, which deletes their holds.
 */
export async function recordLostHolds(tx: Tx, environment: string, project?: string): Promise<void> {
  let query = tx.db
    .selectFrom('feature_leases as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .select(['l.feature_name', 'l.environment', ...holdColumns])
    .where('l.environment', '=', environment)
    .orderBy('l.id');
  if (project !== undefined) query = query.where('f.project', '=', project);
  const holds = (await query.execute()).flatMap((row) => toHold(row) ?? []);
  const names = [...new Set(holds.map(({ featureName }) => featureName))];
  const features = new Map((await findFeatures(tx.db, names)).map((feature) => [feature.name, feature]));
  await recordFeatureEvents(
    tx,
    holds.flatMap((hold) => {
      const feature = features.get(hold.featureName);
      const event = { type: 'feature-lease-released', environment, preData: presentHold(hold) } as const;
      return feature === undefined ? [] : [{ feature, event }];
    }),
  );
}
