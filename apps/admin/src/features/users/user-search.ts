import { type Address, choiceIn, known, pageIn, textIn } from '../../lib/address.ts';

const tabs = ['inactive', 'invite-links'] as const;

/** The search of the users page, as stored in its address. */
export interface UserSearch {
  readonly tab?: (typeof tabs)[number] | undefined;
  readonly query?: string | undefined;
  /** Counted from 1; absent for the first page. */
  readonly page?: number | undefined;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readUserSearch({ tab, query, page }: Address): UserSearch {
  return known({ tab: choiceIn(tabs, tab), query: textIn(query), page: pageIn(page) });
}
