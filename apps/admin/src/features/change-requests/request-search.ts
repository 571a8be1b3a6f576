const shows = ['waiting', 'mine', 'all'] as const;

/** The listed change requests: those waiting for the user, those created by the user, or all. */
export type Show = (typeof shows)[number];

/** The search of the change requests page, as stored in its address. */
export interface RequestSearch {
  /** When absent: those waiting for the user if there are any, else those created by the user. */
  readonly show?: Show;
  /** Open requests when absent. */
  readonly state?: 'closed';
  /** Counted from 1; absent for the first page. */
  readonly page?: number;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readRequestSearch(search: Readonly<Record<string, unknown>>): RequestSearch {
  const page = Number(search.page);
  const show = shows.find((name) => name === search.show);
  return {
    ...(show === undefined ? {} : { show }),
    ...(search.state === 'closed' ? { state: 'closed' } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
