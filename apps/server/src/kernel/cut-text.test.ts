import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, startOfText } from './cut-text.ts';

const family = '👨‍👩‍👧‍👦';

describe('a text that is cut', () => {
  it.each([
    ['🔥🔥🔥', 4, '🔥…'],
    ['a🔥🔥', 4, 'a🔥…'],
    [`${family}${family}`, 21, `${family}…`],
    [`${family}${family}`, 12, `${family}…`],
    ['e\u0301e\u0301e\u0301', 4, 'e\u0301…'],
    ['ab&amp;cd', 6, 'ab…'],
    ['ab&amp;cd', 8, 'ab&amp;…'],
    ['ab\\*cd', 4, 'ab…'],
    ['ab\\\\cd', 5, 'ab\\\\…'],
    ['🇳🇴🇸🇪', 7, '🇳🇴…'],
    ['half \ud83d', 10, 'half \ufffd'],
    ['abc', 3, 'abc'],
  ])('%s to %i units is %s', (text, max, cut) => expect(cutText(text, max)).toBe(cut));

  it('has at most the given length, is a start of the text, and has no half characters', () => {
    const unit = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(family, '&lt;', '\\*', '\ud83d', 'e\u0301'));
    const text = fc.array(unit, { maxLength: 100 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 300 }), (whole, max) => {
        const start = startOfText(whole, max);
        expect(start.length).toBeLessThanOrEqual(max);
        expect(whole.toWellFormed().startsWith(start)).toBe(true);
        expect(start.isWellFormed()).toBe(true);
        expect(cutText(whole, max).length).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('keeps most of a text whose characters are very long', () => {
    const accents = `a${'\u0301'.repeat(5000)}`;
    expect(startOfText(accents, 3000).length).toBeGreaterThan(2900);
  });
});
