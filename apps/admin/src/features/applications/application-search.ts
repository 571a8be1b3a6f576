/** What the list of applications shows, as the address of the page has it. */
export interface ApplicationSearch {
  readonly query?: string;
  /** From 1; the first page when absent. */
  readonly page?: number;
}

/** Reads the address; what means nothing is left out. */
export function readApplicationSearch(search: Readonly<Record<string, unknown>>): ApplicationSearch {
  const page = Number(search.page);
  return {
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
