import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

/** A passage in the search index; its id is the address of its heading, or of its row, below the root of the site. */
export interface SearchEntry {
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly body: string;
  /** The names that the passage describes, one a line; each is a single term of the index. */
  readonly names?: string;
}

const texts = ['title', 'page', 'body'];

/** How passages are indexed: the build and the browser use the same. */
export const searchOptions: Options<SearchEntry> = {
  fields: [...texts, 'names'],
  storeFields: ['title', 'page'],
  tokenize: (text, field) => (field === 'names' ? text.split('\n') : wordsOf(text)),
  searchOptions: {
    fields: texts,
    boost: { title: 4, page: 2 },
    boostDocument: (id) => weightOf(String(id)),
    tokenize: wordsOf,
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};

/** Returns the words of a text: the parts of `UNLEASH_SECRET` are words too. */
function wordsOf(text: string): string[] {
  return text.split(/[\n\r\p{Z}\p{P}]+/u);
}

/**
 * Returns the passages that match a query: first those that describe the name, then those with all of its words, or
 * with any of them when none has all.
 */
export function findPassages(index: MiniSearch<SearchEntry>, query: string): SearchResult[] {
  const name = query.trim().replace(/\s+/g, ' ');
  const named = index.search(name, { fields: ['names'], tokenize: (text) => [text], prefix: false, fuzzy: false });
  const passages = index.search(name);
  const others = passages.length > 0 ? passages : index.search(name, { combineWith: 'OR' });
  const known = new Set(named.map(({ id }) => id));
  return [...named, ...others.filter(({ id }) => !known.has(id))];
}

/** Returns the factor of the rank of a passage by the start of its address. */
function weightOf(id: string): number {
  return weights.find(([start]) => id.startsWith(start))?.[1] ?? 1;
}

/** A guide answers more questions than a decision record, an old change or a single route with the same words. */
const weights = [
  ['guides/', 1.5],
  ['adr/', 0.4],
  ['changelog.', 0.4],
  ['reference/routes', 0.5],
] as const;
