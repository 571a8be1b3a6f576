import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonText, stringify } from './json-text.ts';

describe('stringify', () => {
  it('prints what holds no JsonText as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringify(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('prints each JsonText as its own text, wherever it stands', () => {
    const text = '{"big": 12345678901234567890.10, "nul":"\\u0000", "a":1, "a":2}';
    expect(stringify({ list: [new JsonText(text), 'x', new JsonText('null')], last: new JsonText('1e400') })).toBe(
      `{"list":[${text},"x",null],"last":1e400}`,
    );
  });

  it('keeps every JSON value that passes through as text', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), (texts) => {
        expect(stringify(texts.map((text) => new JsonText(text)))).toBe(`[${texts.join(',')}]`);
      }),
    );
  });

  it('refuses to print a JsonText any other way, where it would show as something else', () => {
    expect(() => JSON.stringify(new JsonText('1'))).toThrow('stringify only');
  });
});
