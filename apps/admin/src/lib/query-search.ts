/** What a list is narrowed to, as the address of its page has it. */
export interface QuerySearch {
  readonly query?: string;
}

/** Reads the address; what means nothing is left out. */
export function readQuerySearch(search: Readonly<Record<string, unknown>>): QuerySearch {
  return typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {};
}

/** Whether every word of the query is in one of the texts, upper and lower case alike. */
export function matches(query: string | undefined, ...texts: readonly (string | null | undefined)[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return (query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
