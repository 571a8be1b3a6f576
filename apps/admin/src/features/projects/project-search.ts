/** The search of the projects page, as stored in its address. */
export interface ProjectSearch {
  readonly query?: string;
  readonly archived?: true;
}

/** Reads the address and drops invalid values. */
export function readProjectSearch(search: Readonly<Record<string, unknown>>): ProjectSearch {
  return {
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(search.archived === true ? { archived: true as const } : {}),
  };
}
