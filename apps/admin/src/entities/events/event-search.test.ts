import { describe, expect, it } from 'vitest';
import { asQuery, filtersOf, readEventSearch } from './event-search.ts';

describe('the address of the event log', () => {
  it('holds filters as values or lists, also when written by hand', () => {
    expect(
      readEventSearch({ feature: 'a', project: ['p', 'q'], createdBy: [1, '2', 'x'], from: '2026-03-31' }),
    ).toEqual({
      feature: ['a'],
      project: ['p', 'q'],
      createdBy: [1, 2],
      from: '2026-03-31T00:00:00.000Z',
    });
    expect(readEventSearch({ query: 42, feature: 7 })).toEqual({ query: '42', feature: ['7'] });
  });

  it('drops invalid values', () => {
    const nonsense = {
      query: ' ',
      type: [],
      project: [{}],
      createdBy: ['x'],
      from: 'soon',
      event: -1,
      signal: 'x',
      span: '2h',
    };
    expect(readEventSearch({ ...nonsense, start: 5, end: 5 })).toEqual({});
    expect(readEventSearch({ start: 5 })).toEqual({});
  });

  it('sends only the filters to the server', () => {
    const search = readEventSearch({ type: ['a', 'b'], signal: 3, to: '2026-03-31T12:00Z', event: 9, span: '1h' });
    expect(filtersOf(search)).toEqual({ type: ['a', 'b'], signal: 3, to: '2026-03-31T12:00:00.000Z' });
    expect(asQuery(search)).toEqual({ type: 'IS_ANY_OF:a,b', signal: 'IS:3', to: 'IS:2026-03-31T12:00:00.000Z' });
  });
});
