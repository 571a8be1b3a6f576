import { type Address, choiceIn, known, pageIn } from '../../lib/address.ts';

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
export function readRequestSearch({ show, state, page }: Address): RequestSearch {
  return known({ show: choiceIn(shows, show), state: choiceIn(['closed'] as const, state), page: pageIn(page) });
}
