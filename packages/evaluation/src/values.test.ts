import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateProblem, numberProblem, readNumber, readTime } from './values.ts';

describe('the number of a context', () => {
  it.each([
    '',
    ' ',
    ' 5',
    '5 ',
    '0x10',
    '0b1',
    '0o7',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e999',
    '1_0',
    '1,5',
    'one',
    '.',
    'e5',
  ])('is not in "%s"', (text) => expect(readNumber(text)).toBeUndefined());

  it.each([
    ['0', 0],
    ['-0', -0],
    ['+5', 5],
    ['007', 7],
    ['5.', 5],
    ['.5', 0.5],
    ['1E3', 1000],
    ['-1.5e-3', -0.0015],
  ])('is in "%s"', (text, number) => expect(readNumber(text)).toBe(number));

  it('is the number that JavaScript writes', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(numbers, (value) => {
        expect(readNumber(String(value))).toBe(Number(String(value)));
      }),
    );
  });

  it('is found in a long text at once', () => {
    const before = performance.now();
    expect(readNumber(`${'1'.repeat(100_000)}x`)).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(200);
  });
});

it.each(['.5', '5.', ' 5', '0x5', '', '1e999', '1,5'])('the number "%s" is refused in a constraint', (text) =>
  expect(numberProblem(text)).toContain('decimal number'),
);

describe('the time of a context', () => {
  it.each([
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T10:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01 10:00:05', '2026-01-01T10:00:05.000Z'],
    ['2026-01-01T10:00:00.123456', '2026-01-01T10:00:00.123Z'],
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00:00+02:00', '2026-01-01T08:00:00.000Z'],
    ['2026-01-01T10:00:00-0130', '2026-01-01T11:30:00.000Z'],
    ['Thu, 01 Jan 2026 10:00:00 GMT', '2026-01-01T10:00:00.000Z'],
  ])('in "%s" does not depend on the zone of the server', (text, iso) => {
    const zone = process.env['TZ'];
    try {
      for (const here of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
        process.env['TZ'] = here;
        expect(new Date(readTime(text)).toISOString()).toBe(iso);
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it.each(['', 'noon', '01/02/2026', 'Jan 1 2026', '2026-02-30', '20260101', '1767225600', '2026-01-01T25:00:00Z'])(
    'is not in "%s"',
    (text) => expect(readTime(text)).toBeNaN(),
  );
});

describe('the date of a constraint', () => {
  it.each([
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00.1Z',
    '2026-01-01T00:00:00.123456Z',
    '2026-01-01T00:00:00+0200',
    '2026-01-01T24:00:00Z',
    '2025-02-29T00:00:00Z',
    '01/02/2026',
    '1767225600000',
    'Jan 1 2026',
    '+010000-01-01T00:00:00Z',
    '0000-00-00',
    '',
  ])('is refused: "%s"', (text) => expect(dateProblem(text)).toContain('with a zone'));

  it.each(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2028-02-29T23:59:59-05:30'])(
    'is accepted: "%s"',
    (text) => expect(dateProblem(text)).toBeUndefined(),
  );
});
