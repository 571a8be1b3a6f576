/** What the page of users shows, as its address has it. */
export interface UserSearch {
  readonly tab?: 'inactive' | 'invite-links' | undefined;
  readonly query?: string | undefined;
  /** From 1; the first page when absent. */
  readonly page?: number | undefined;
}

/** Reads the address; what means nothing is left out. */
export function readUserSearch(search: Readonly<Record<string, unknown>>): UserSearch {
  const page = Number(search.page);
  return {
    ...(search.tab === 'inactive' || search.tab === 'invite-links' ? { tab: search.tab } : {}),
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
