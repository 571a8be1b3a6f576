import { describe, expect, it } from 'vitest';
import { matches, readQuerySearch } from './query-search.ts';

describe('the search of a list', () => {
  it('matches texts that contain every word, ignoring case', () => {
    expect(matches('beta EUROPE', 'Beta testers', 'of Europe')).toBe(true);
    expect(matches('beta asia', 'Beta testers', null)).toBe(false);
    expect(matches(undefined, 'anything')).toBe(true);
  });

  it('reads the query from the address and ignores invalid values', () => {
    expect(readQuerySearch({ query: 'beta', page: 3 })).toEqual({ query: 'beta' });
    expect(readQuerySearch({ query: '' })).toEqual({});
    expect(readQuerySearch({ query: ['beta'] })).toEqual({});
  });
});
