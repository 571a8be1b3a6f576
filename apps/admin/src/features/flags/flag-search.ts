/** What the table of flags shows, as the address of the page has it. */
export interface FlagSearch {
  readonly query?: string;
  readonly state?: 'active' | 'stale' | 'potentially-stale';
  readonly archived?: true;
  /** From 1; the first page when absent. */
  readonly page?: number;
}

const states = ['active', 'stale', 'potentially-stale'] as const;

/** Reads the address; what means nothing is left out. */
export function readFlagSearch(search: Readonly<Record<string, unknown>>): FlagSearch {
  const page = Number(search.page);
  const state = states.find((known) => known === search.state);
  return {
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(state === undefined ? {} : { state }),
    ...(search.archived === true ? { archived: true } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
