import type { runTriggers } from '@yardarm/contract';
import type { Filters } from '../../payload-filters/index.ts';
import { isSilence, type SilenceState, silenceStatePath } from '../../signals/index.ts';
import type { ActionSet } from '../sets/index.ts';
import type { Run } from './store.ts';

/**
 * Returns whether a signal can trigger a set: that of a sender or a test, or, for sets that silence triggers, one by
 * which Yardarm reports a silence. Which of them it is does not depend on the payload, which senders write.
 */
export function canTrigger(
  { tokenId }: { readonly tokenId: number },
  { trigger }: Pick<ActionSet, 'trigger'>,
): boolean {
  return isSilence({ tokenId }) === (trigger === 'silence');
}

/** Returns the filters of a set for a state of a silence; those of other sets are returned as they are. */
export function filtersFor({ trigger }: Pick<ActionSet, 'trigger'>, filters: Filters, state: SilenceState): Filters {
  return trigger === 'silence' ? { ...filters, [silenceStatePath]: { operator: 'IN', values: [state] } } : filters;
}

/** Returns what triggered a run. */
export function triggerOf({ cause, tokenId }: Pick<Run, 'cause' | 'tokenId'>): (typeof runTriggers)[number] {
  return cause === 'signal' && isSilence({ tokenId }) ? 'silence' : cause;
}
