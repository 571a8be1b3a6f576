/** Which projects are listed, as the address of the page has it. */
export interface ProjectSearch {
  readonly query?: string;
  readonly archived?: true;
}

/** Reads the address; what means nothing is left out. */
export function readProjectSearch(search: Readonly<Record<string, unknown>>): ProjectSearch {
  return {
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(search.archived === true ? { archived: true as const } : {}),
  };
}
