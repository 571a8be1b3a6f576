import type { EditedChangeSearch } from '../change-requests/edited-change.ts';

/** The strategy to create or edit, as stored in the address of the page. */
export interface StrategySearch extends EditedChangeSearch {
  readonly environmentId: string;
  readonly strategyId?: string;
  /** The initial type of a new strategy. */
  readonly strategyName?: string;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readStrategySearch(search: Readonly<Record<string, unknown>>): StrategySearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const strategyId = text(search.strategyId);
  const strategyName = text(search.strategyName);
  const number = (value: unknown) => (Number.isInteger(value) ? Number(value) : undefined);
  const changeRequestId = number(search.changeRequestId);
  const changeId = number(search.changeId);
  return {
    environmentId: text(search.environmentId) ?? '',
    ...(strategyId === undefined ? {} : { strategyId }),
    ...(strategyName === undefined ? {} : { strategyName }),
    ...(changeRequestId === undefined || changeId === undefined ? {} : { changeRequestId, changeId }),
  };
}
