import { boldName } from '@yardarm/contract';
import { stateOf } from '../../flags/index.ts';
import type { HeldPlace } from './store.ts';

/** The number of flags that a message names. */
const maxNamed = 20;

/** The state of a subject whose holds have all ended. */
export const over = 'Over: nothing is held any more';

/** Returns what is held now. A list that is cut says so. */
export function heldNow(held: readonly HeldPlace[]): string {
  const named = held.slice(0, maxNamed).map(({ featureName, environment, ...how }) => {
    return `${boldName(featureName)} in ${boldName(environment)} (${stateOf(how)})`;
  });
  const cut = held.length > maxNamed ? ` (${maxNamed} of ${held.length})` : '';
  return `Held now${cut}: ${named.join(', ')}`;
}
