import { type Address, known, textIn } from './address.ts';

/** The search of a list, as stored in the address of its page. */
export interface QuerySearch {
  readonly query?: string;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readQuerySearch(search: Address): QuerySearch {
  return known({ query: textIn(search.query) });
}

/** Returns whether every word of the query occurs in one of the texts, ignoring case. */
export function matches(query: string | undefined, ...texts: readonly (string | null | undefined)[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return (query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
