import { describe, expect, it } from 'vitest';
import { matches, readQuerySearch } from './query-search.ts';

describe('a list that is searched', () => {
  it('keeps what has every word somewhere, in whatever case', () => {
    expect(matches('beta EUROPE', 'Beta testers', 'of Europe')).toBe(true);
    expect(matches('beta asia', 'Beta testers', null)).toBe(false);
    expect(matches(undefined, 'anything')).toBe(true);
  });

  it('reads from the address what means something', () => {
    expect(readQuerySearch({ query: 'beta', page: 3 })).toEqual({ query: 'beta' });
    expect(readQuerySearch({ query: '' })).toEqual({});
    expect(readQuerySearch({ query: ['beta'] })).toEqual({});
  });
});
