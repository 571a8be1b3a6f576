/** The search of the projects page, as stored in its address. */
export interface ProjectSearch {
  readonly query?: string;
  readonly archived?: true;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readProjectSearch(search: Readonly<Record<string, unknown>>): ProjectSearch {
  return {
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(search.archived === true ? { archived: true as const } : {}),
  };
}
