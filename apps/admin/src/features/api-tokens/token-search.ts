/** Reads the search of the API tokens page from its address. */
export function readTokenSearch(search: Readonly<Record<string, unknown>>): { readonly query?: string | undefined } {
  return typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {};
}
