const shows = ['waiting', 'mine', 'all'] as const;

/** Whose change requests are listed: those that wait for the reader, those that the reader created, or all. */
export type Show = (typeof shows)[number];

/** Which change requests are listed, as the address of the page has it. */
export interface RequestSearch {
  /** When absent, what waits for the reader where there is some, else what the reader created. */
  readonly show?: Show;
  /** Those that are neither applied nor given up, unless it says otherwise. */
  readonly state?: 'closed';
  /** From 1; the first page when absent. */
  readonly page?: number;
}

/** Reads the address; what means nothing is left out. */
export function readRequestSearch(search: Readonly<Record<string, unknown>>): RequestSearch {
  const page = Number(search.page);
  const show = shows.find((one) => one === search.show);
  return {
    ...(show === undefined ? {} : { show }),
    ...(search.state === 'closed' ? { state: 'closed' } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
