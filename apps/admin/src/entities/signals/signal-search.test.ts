import { describe, expect, it } from 'vitest';
import { readSignalSearch } from './signal-search.ts';

describe('the address of the signals page', () => {
  it('opens at most one form or panel', () => {
    expect(readSignalSearch({ make: true, edit: 3 })).toEqual({ make: true });
    expect(readSignalSearch({ edit: 3, query: 'x' })).toEqual({ edit: 3 });
    expect(readSignalSearch({ edit: 'x', view: 1.5 })).toEqual({});
  });

  it('holds the filters and drops invalid values', () => {
    const shown = { view: 2, signal: 9, query: '503', from: '2026-01-01T00:00:00.000Z' };
    expect(readSignalSearch({ ...shown, query: 503, to: 'soon' })).toEqual(shown);
    expect(readSignalSearch({ view: 2, query: ' ', signal: 0 })).toEqual({ view: 2 });
  });
});
