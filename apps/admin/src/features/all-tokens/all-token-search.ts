import { type Address, known, pageIn, textIn } from '../../lib/address.ts';

/** The search of the list of all tokens, as stored in the address of its page. */
export interface AllTokenSearch {
  readonly query?: string | undefined;
  /** Counted from 1; absent for the first page. */
  readonly page?: number | undefined;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readAllTokenSearch({ query, page }: Address): AllTokenSearch {
  return known({ query: textIn(query), page: pageIn(page) });
}
