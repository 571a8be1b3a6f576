import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, LongNumber, parseExactJson } from './long-number.ts';

/** A JSON number as some program prints it. */
const numberText = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 40n }),
    fc.option(fc.stringMatching(/^\d{1,30}$/)),
    fc.option(fc.integer({ min: -400, max: 400 })),
  )
  .map(([isNegative, whole, fraction, power]) =>
    [isNegative ? '-' : '', whole, fraction === null ? '' : `.${fraction}`, power === null ? '' : `e${power}`].join(''),
  );

describe('JSON with long numbers', () => {
  it('is printed with the same numbers', () => {
    fc.assert(
      fc.property(fc.array(numberText), (numbers) => {
        const printed: string = JSON.stringify(parseExactJson(`{"a":[${numbers.join(', ')}]}`));
        const again = printed.slice('{"a":['.length, -']}'.length).split(',');
        for (const [index, text] of numbers.entries()) expect(compareDecimals(again[index] ?? '', text)).toBe(0);
      }),
    );
  });

  it('has the values of JSON.parse, apart from long numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
        // The long number has all numbers of the text read digit by digit.
        expect(parseExactJson(`[${text}, 7421932185906577001]`)).toEqual([
          JSON.parse(text),
          new LongNumber('7421932185906577001'),
        ]);
      }),
    );
  });

  it.each(['9007199254740991', '9007199254740992', '0.1', '0.30000000000000004', '1.10', '1e23', '-0.0', '5e-324'])(
    '%s is a number',
    (text) => expect(parseExactJson(`[${text}, 7421932185906577001]`)).toEqual([Number(text), expect.any(LongNumber)]),
  );

  it.each(['9007199254740993', '100000000000000000000000', '0.10000000000000001', '1e400', '-1e-400', '2e-324'])(
    '%s is a long number with its digits',
    (text) => {
      const value = parseExactJson(text);
      expect(value).toBeInstanceOf(LongNumber);
      expect([String(value), JSON.stringify({ value })]).toEqual([text, `{"value":${text}}`]);
    },
  );

  it('keeps numbers of 100,000 digits', () => {
    const zeros = '0'.repeat(50_000);
    for (const text of [`1${zeros}1`, `0.${zeros}1${zeros}`, '9'.repeat(100_000), `1e${'1'.repeat(100_000)}`])
      expect(String(parseExactJson(text))).toBe(text);
  });
});

describe('the comparison of decimals', () => {
  it('agrees with the comparison of integers, whatever the exponent', () => {
    const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(integer, integer, fc.integer({ min: 0, max: 9 }), (a, b, zeros) => {
        const [one, other] = [`${a}${'0'.repeat(zeros)}`, `${b}e${zeros}`];
        expect(Math.sign(compareDecimals(one, other) ?? Number.NaN)).toBe(a < b ? -1 : Number(a > b));
      }),
    );
  });

  it.each(['', ' ', '0x10', '1.', '.5', 'NaN', '1 2'])('gives no result for "%s"', (text) => {
    expect(compareDecimals(text, '1')).toBeUndefined();
  });
});
