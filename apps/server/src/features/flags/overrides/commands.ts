import { type Feature, recordFeatureEvents, requireFeature, requireUsable } from '#features/flags/feature/index.ts';
import { releaseSelected } from '#features/flags/holds/index.ts';
import { notInEnvironment, statesIn } from '#features/flags/states/index.ts';
import { Problem } from '#kernel/errors.ts';
import { requireFuture } from '#kernel/future.ts';
import type { Tx } from '#storage/tx.ts';
import type { Override, Place } from './override.ts';
import { overrideEventData } from './present.ts';
import * as store from './store.ts';

/** The kind of the job that ends overrides at their time. */
export const expiryKind = 'automation-override-expiry';

export interface OverrideRequest extends Place {
  readonly project: string;
  readonly reason: string;
  readonly endsAt: number | null;
  /** Whether holds that runs have placed are released, or kept until they are released or expire. */
  readonly holds: 'release' | 'keep';
}

/**
 * Keeps automation off a flag in an environment, in place of an earlier override there. Records no event when the same
 * account has placed the same override already. Rejects with 404 when the flag is unknown, belongs to another project
 * or is not in the environment; with 400 when it is archived, or when `endsAt` is not in the future.
 */
export async function placeOverride(tx: Tx, request: OverrideRequest): Promise<Override> {
  const { project, featureName, environment, reason, endsAt, holds } = request;
  const feature = await requireUsable(tx.db, { project, featureName });
  if (!(await statesIn(tx.db, environment, [featureName])).has(featureName))
    throw notInEnvironment(featureName, environment);
  requireFuture('endsAt', endsAt, tx.now);
  const before = await store.findOverride(tx.db, request);
  const { userId: id, name } = tx.by.actor;
  const wanted = { reason, endsAt, placedBy: { id, name } };
  const placed =
    before !== undefined && isSame(before, wanted)
      ? before
      : await replace(tx, feature, { featureName, environment, ...wanted }, before);
  if (holds === 'release') await releaseSelected(tx, request, () => true);
  return placed;
}

async function replace(
  tx: Tx,
  feature: Feature,
  wanted: Omit<Override, 'id' | 'project' | 'placedAt'>,
  before: Override | undefined,
): Promise<Override> {
  const { featureName, environment, endsAt } = wanted;
  await store.saveOverride(tx, { ...wanted, placedAt: tx.now });
  const after = await store.findOverride(tx.db, wanted);
  if (after === undefined) throw new Error(`the override just placed on ${featureName} in ${environment} is missing`);
  const data = overrideEventData(after);
  const event =
    before === undefined
      ? ({ type: 'feature-override-placed', environment, data } as const)
      : ({ type: 'feature-override-updated', environment, preData: overrideEventData(before), data } as const);
  await recordFeatureEvents(tx, [{ feature, event }]);
  if (endsAt !== null) tx.enqueue({ kind: expiryKind, runAt: endsAt });
  return after;
}

function isSame(before: Override, { reason, endsAt, placedBy }: Pick<Override, 'reason' | 'endsAt' | 'placedBy'>) {
  const { id, name } = before.placedBy;
  return before.reason === reason && before.endsAt === endsAt && id === placedBy.id && name === placedBy.name;
}

/** Ends an override. Rejects with 404 when there is none. */
export async function endOverride(tx: Tx, place: Place & { readonly project: string }): Promise<void> {
  const { project, featureName, environment } = place;
  const feature = await requireFeature(tx.db, { project, featureName });
  const override = await store.findOverride(tx.db, place);
  if (override === undefined || (override.endsAt !== null && override.endsAt <= tx.now))
    throw new Problem('NotFoundError', `The flag ${featureName} has no override in ${environment}.`);
  await end(tx, feature, override);
}

/** Ends the overrides whose time is over, each with an event. */
export async function expireOverrides(tx: Tx): Promise<void> {
  for (const override of await store.expiredOverrides(tx.db, tx.now, maxExpired)) {
    const { project, featureName } = override;
    await end(tx, await requireFeature(tx.db, { project, featureName }), override);
  }
}

const maxExpired = 500;

async function end(tx: Tx, feature: Feature, override: Override): Promise<void> {
  await store.deleteOverride(tx, override.id);
  const { environment } = override;
  const event = { type: 'feature-override-ended', environment, preData: overrideEventData(override) } as const;
  await recordFeatureEvents(tx, [{ feature, event }]);
}
