import { type Address, known, pageIn, textIn } from '../../lib/address.ts';

/** The search of the applications page, as stored in its address. */
export interface ApplicationSearch {
  readonly query?: string;
  /** Counted from 1; absent for the first page. */
  readonly page?: number;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readApplicationSearch({ query, page }: Address): ApplicationSearch {
  return known({ query: textIn(query), page: pageIn(page) });
}
