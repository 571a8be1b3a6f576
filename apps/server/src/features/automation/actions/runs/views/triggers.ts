import type { Filters } from '#features/platform/payload-filters/index.ts';
import { isSilence, type SilenceState, silenceStatePath } from '#features/signals/signals/index.ts';
import type { ActionSet } from '../../sets/index.ts';

/**
 * Returns whether a signal can trigger a set. A set that silence triggers runs only on the signals by which Yardarm
 * reports a silence; every other set runs only on signals of senders and tests. The token of the signal decides, not
 * its payload, because senders write the payload.
 */
export function canTrigger(
  { tokenId }: { readonly tokenId: number },
  { trigger }: Pick<ActionSet, 'trigger'>,
): boolean {
  return isSilence({ tokenId }) === (trigger === 'silence');
}

/** Returns the filters of a set, with a filter on the state of the silence if silence triggers the set. */
export function filtersFor({ trigger }: Pick<ActionSet, 'trigger'>, filters: Filters, state: SilenceState): Filters {
  return trigger === 'silence' ? { ...filters, [silenceStatePath]: { operator: 'IN', values: [state] } } : filters;
}
