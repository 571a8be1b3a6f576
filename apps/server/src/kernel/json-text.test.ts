import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonText, stringify } from './json-text.ts';

describe('stringify', () => {
  it('prints values without JsonText like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringify(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('prints each JsonText as its original text, at any depth', () => {
    const text = '{"big": 12345678901234567890.10, "nul":"\\u0000", "a":1, "a":2}';
    expect(stringify({ list: [new JsonText(text), 'x', new JsonText('null')], last: new JsonText('1e400') })).toBe(
      `{"list":[${text},"x",null],"last":1e400}`,
    );
  });

  it('keeps the text of every JSON value', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), (texts) => {
        expect(stringify(texts.map((text) => new JsonText(text)))).toBe(`[${texts.join(',')}]`);
      }),
    );
  });

  it('makes JSON.stringify of a JsonText throw', () => {
    expect(() => JSON.stringify(new JsonText('1'))).toThrow('stringify() only');
  });
});
