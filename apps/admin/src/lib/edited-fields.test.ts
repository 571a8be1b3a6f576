import { describe, expect, it } from 'vitest';
import { editedFields } from './edited-fields.ts';

describe('edited fields', () => {
  const loaded = { name: 'a', legalValues: ['x'], enabled: true };

  it('are those that differ from the loaded row, whatever another user changed in other fields', () => {
    const current = { ...loaded, name: 'b' };
    expect(editedFields({ loaded, edited: { ...loaded, legalValues: ['y'] }, current })).toEqual({
      legalValues: ['y'],
    });
    expect(editedFields({ loaded, edited: { ...loaded }, current })).toEqual({});
  });

  it('are refused by name when another user changed them too, unless to the same value', () => {
    const edited = { ...loaded, name: 'b', legalValues: ['y'] };
    const current = { name: 'c', legalValues: ['z'], enabled: true };
    expect(() => editedFields({ loaded, edited, current })).toThrow('changed the name and the legal values since');
    expect(editedFields({ loaded, edited, current: edited })).toEqual({ name: 'b', legalValues: ['y'] });
  });
});
