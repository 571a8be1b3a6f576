import type { EditedChangeSearch } from '../../entities/change-requests/edited-change.ts';
import { type Address, idIn, known, textIn } from '../../lib/address.ts';

/** The strategy to create or edit, as stored in the address of the page. */
export interface StrategySearch extends EditedChangeSearch {
  readonly environmentId: string;
  readonly strategyId?: string;
  /** The initial type of a new strategy. */
  readonly strategyName?: string;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readStrategySearch(address: Address): StrategySearch {
  const [changeRequestId, changeId] = [idIn(address.changeRequestId), idIn(address.changeId)];
  return {
    environmentId: textIn(address.environmentId) ?? '',
    ...known({ strategyId: textIn(address.strategyId), strategyName: textIn(address.strategyName) }),
    ...(changeRequestId === undefined || changeId === undefined ? {} : { changeRequestId, changeId }),
  };
}
