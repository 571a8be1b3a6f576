/** What the page of API tokens is searched for, as its address has it. */
export function readTokenSearch(search: Readonly<Record<string, unknown>>): { readonly query?: string | undefined } {
  return typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {};
}
