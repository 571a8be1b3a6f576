import { findFeature } from '#features/flags/feature/index.ts';
import type { Hold } from '#features/flags/held-state/index.ts';
import type { Tx } from '#storage/tx.ts';
import { effectOf, end, update } from './commands.ts';
import { isResting, type Pace, type RequestedEffect } from './hold.ts';
import * as store from './store.ts';

/** The result of {@link endOrRest}. */
export interface Ended {
  readonly changed: boolean;
  /** Milliseconds UTC; null when no selected hold is left. */
  readonly restsUntil: number | null;
}

/**
 * Ends the selected holds of automation on a flag in an environment, because their cause is over. A hold that follows a
 * plan stays until its milestone has rested.
 */
export async function endOrRest(tx: Tx, place: store.Place, isSelected: (hold: Hold) => boolean): Promise<Ended> {
  const holds = (await store.holdsIn(tx.db, place)).filter((hold) => hold.holder.kind !== 'person' && isSelected(hold));
  const resting = holds.filter(({ restsUntil }) => restsUntil !== null && restsUntil > tx.now);
  const begin = resting.filter((hold) => !isResting(hold));
  const feature = begin.length === 0 ? undefined : await findFeature(tx.db, place.featureName);
  if (feature !== undefined) for (const hold of begin) await update(tx, feature, hold, rested(hold));
  const hasEnded = await end(
    tx,
    place,
    ({ id }) => !resting.some((hold) => hold.id === id) && holds.some((hold) => hold.id === id),
    'feature-lease-released',
  );
  const last = Math.max(...resting.map(({ restsUntil }) => restsUntil ?? 0));
  return { changed: begin.length > 0 || hasEnded, restsUntil: resting.length === 0 ? null : last };
}

/** Returns the hold that ends when its milestone has rested, or at its own earlier time. */
function rested(hold: Hold): Hold {
  const { restsUntil, expiresAt, onExpiry, reason } = hold;
  const endsBefore = onExpiry === 'release' && expiresAt !== null && restsUntil !== null && expiresAt < restsUntil;
  return {
    ...hold,
    expiresAt: endsBefore ? expiresAt : restsUntil,
    onExpiry: 'release',
    stepsDownAt: null,
    reason: reason === null ? restsText : `${reason} ${restsText}`,
  };
}

const restsText = 'This is over; the milestone rests until the hold ends.';

/** The effect that a hold goes down to. */
export type StepDown = RequestedEffect & { readonly pace: Pace; readonly reason: string | null };

/**
 * Holds a flag further down, because a hold of automation does not help. The event of a hold of a run has the cause of
 * the hold's last change.
 */
export async function stepDownHold(tx: Tx, before: Hold, { reason, pace, ...step }: StepDown): Promise<void> {
  const feature = await findFeature(tx.db, before.featureName);
  if (feature === undefined) return;
  const cause = before.holder.kind === 'run' ? await store.causeOfHold(tx.db, before, before.id) : tx.by.cause;
  const after = { ...before, ...effectOf(step), ...pace, reason };
  await tx.nested({ ...tx.by, cause }, async (part) => {
    await update(part, feature, before, after, 'feature-lease-stepped-down');
  });
}
