import type { EditedSearch } from '../change-requests/edited-change.ts';

/** Which strategy is made or edited, as the address of the page has it. */
export interface StrategySearch extends EditedSearch {
  readonly environmentId: string;
  readonly strategyId?: string;
  /** Of which kind a new one is at first. */
  readonly strategyName?: string;
}

/** Reads the address; what means nothing is left out. */
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
