import type { Options } from 'minisearch';

/** A passage in the search index; its id is the address of its heading below the root of the site. */
export interface SearchEntry {
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly body: string;
}

/** How passages are indexed and found: the build and the browser use the same. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'page', 'body'],
  storeFields: ['title', 'page'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    boostDocument: (id) => weights[String(id).split('/')[0] ?? ''] ?? 1,
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};

/** Factors of the rank by folder: a guide answers more questions than a decision record with the same words. */
const weights: Readonly<Record<string, number>> = { guides: 1.5, adr: 0.4 };
