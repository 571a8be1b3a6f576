/** The search of the applications page, as stored in its address. */
export interface ApplicationSearch {
  readonly query?: string;
  /** Counted from 1; absent for the first page. */
  readonly page?: number;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readApplicationSearch(search: Readonly<Record<string, unknown>>): ApplicationSearch {
  const page = Number(search.page);
  return {
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
