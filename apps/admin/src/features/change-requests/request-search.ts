/** Which change requests are listed, as the address of the page has it. */
export interface RequestSearch {
  /** Those that one made, unless it says otherwise. */
  readonly show?: 'to-approve' | 'all';
  /** Those that are neither applied nor given up, unless it says otherwise. */
  readonly state?: 'closed';
  /** From 1; the first page when absent. */
  readonly page?: number;
}

/** Reads the address; what means nothing is left out. */
export function readRequestSearch(search: Readonly<Record<string, unknown>>): RequestSearch {
  const page = Number(search.page);
  return {
    ...(search.show === 'to-approve' || search.show === 'all' ? { show: search.show } : {}),
    ...(search.state === 'closed' ? { state: 'closed' } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
