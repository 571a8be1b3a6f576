import { boldName } from '@yardarm/contract';
import { stateOf } from '#features/flags/held-state/index.ts';
import { timeText } from '#kernel/clock.ts';
import { cutText } from '#kernel/cut-text.ts';
import type { HeldPlace } from './store.ts';

/** The number of flags that a message names. */
const maxNamed = 20;

/** The state of a subject whose holds have all ended. */
export const over = 'Over: nothing is held any more';

/** The number of reasons that a message names, and the length of each: receivers cut long messages. */
const maxReasons = 5;
const maxReasonLength = 80;

/**
 * Returns the reasons that actions and people gave, the last end, and what is held now, in this order: receivers cut
 * the end of long messages. Lists that are cut say so.
 */
export function heldNow(held: readonly HeldPlace[]): string {
  const named = held.slice(0, maxNamed).map(({ featureName, environment, ...how }) => {
    return `${boldName(featureName)} in ${boldName(environment)} (${stateOf(how)})`;
  });
  return `${reasonsOf(held)}${lastEndOf(held)}Held now${cutAt(maxNamed, held)}: ${named.join(', ')}`;
}

function reasonsOf(held: readonly HeldPlace[]): string {
  const reasons = [...new Set(held.flatMap(({ reason }) => reason?.replaceAll(/\s+/g, ' ') ?? []))];
  if (reasons.length === 0) return '';
  const named = reasons.slice(0, maxReasons).map((reason) => cutText(reason, maxReasonLength));
  return `Reasons${cutAt(maxReasons, reasons)}: ${named.join(', ')}. `;
}

/** Returns when the last hold ends; empty when one has no end. */
function lastEndOf(held: readonly HeldPlace[]): string {
  const ends = held.flatMap(({ until }) => until ?? []);
  if (ends.length < held.length) return '';
  return `Until ${timeText(Math.max(...ends))}${new Set(ends).size > 1 ? ' at the latest' : ''}. `;
}

function cutAt(most: number, { length }: readonly unknown[]): string {
  return length > most ? ` (${most} of ${length})` : '';
}
