import { type Address, known, switchIn, textIn } from '../../lib/address.ts';

/** The search of the projects page, as stored in its address. */
export interface ProjectSearch {
  readonly query?: string;
  readonly archived?: true;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readProjectSearch({ query, archived }: Address): ProjectSearch {
  return known({ query: textIn(query), archived: switchIn(archived) });
}
