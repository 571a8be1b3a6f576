/** The search of the users page, as stored in its address. */
export interface UserSearch {
  readonly tab?: 'inactive' | 'invite-links' | undefined;
  readonly query?: string | undefined;
  /** Counted from 1; absent for the first page. */
  readonly page?: number | undefined;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readUserSearch(search: Readonly<Record<string, unknown>>): UserSearch {
  const page = Number(search.page);
  return {
    ...(search.tab === 'inactive' || search.tab === 'invite-links' ? { tab: search.tab } : {}),
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
