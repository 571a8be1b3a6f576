import { describe, expect, it } from 'vitest';
import { contextEntries } from './context-entries.ts';

describe('contextEntries()', () => {
  it('reads properties inside “properties” or beside the fields', () => {
    const entries = [
      ['userId', 'ann'],
      ['plan', 'pro'],
      ['seats', '5'],
    ];
    expect(contextEntries({ userId: 'ann', properties: { plan: 'pro', seats: 5 } })).toEqual(entries);
    expect(contextEntries({ userId: 'ann', plan: 'pro', seats: 5 })).toEqual(entries);
    expect(contextEntries({ userId: null, properties: {} })).toEqual([]);
  });

  it.each([
    ['a list', []],
    ['text', 'ann'],
    ['an object as a value', { userId: { id: 1 } }],
    ['properties that are a list', { properties: ['pro'] }],
    ['an object as a property', { properties: { plan: { name: 'pro' } } }],
    ['a property with the name of a field', { properties: { userId: 'bob' } }],
    ['a name with two values', { plan: 'free', properties: { plan: 'pro' } }],
  ])('rejects %s', (_what, context) => {
    expect(contextEntries(context)).toBeUndefined();
  });
});
