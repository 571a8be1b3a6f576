// JSON.rawJSON and the third parameter of revivers are in Node and in current browsers, but not yet in TypeScript's
// types. A browser without them reads long numbers as it reads all numbers.
const jsonOfDigits = (JSON as unknown as { readonly rawJSON?: (text: string) => unknown }).rawJSON;

/**
 * A JSON number that a double does not hold, such as an integer above 2^53: its digits as they were sent. Printed as
 * JSON, it is the same number again. Its numeric value is the nearest double.
 */
export class LongNumber extends Number {
  readonly #digits: string;

  constructor(digits: string) {
    super(digits);
    this.#digits = digits;
  }

  override toString(): string {
    return this.#digits;
  }

  toJSON(): unknown {
    return jsonOfDigits === undefined ? Number(this.#digits) : jsonOfDigits(this.#digits);
  }
}

/**
 * The start of a number of 16 or more digits, or the end of one with an exponent of three or more: shorter numbers are
 * held by a double. A match inside a string costs only time.
 */
const mayBeLong = /(?:^|[\s:,[-])[\d.]{16}|[\d.]e[+-]?\d{3,}\s*(?:[\s,}\]]|$)/i;

/**
 * Parses JSON like `JSON.parse`, with a {@link LongNumber} for each number that a double does not hold. A text without
 * long numbers is parsed as fast as by `JSON.parse`: a reviver is several times slower.
 */
export function parseExactJson(text: string): unknown {
  return mayBeLong.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const digits = context?.source;
  return typeof value !== 'number' || digits === undefined || isExact(digits) ? value : new LongNumber(digits);
}

/** Returns whether a double holds the number of a text: the shortest text of the double has the same digits. */
function isExact(text: string): boolean {
  const printed = String(Number(text));
  // An integer above 10^21 is printed with an exponent, so its digits would not be those that were sent.
  return compareDecimals(text, printed) === 0 && !(/^-?\d+$/.test(text) && printed.includes('e'));
}

/** A decimal number: 0.digits × 10^exponent, without zeros at either end of the digits. Zero has no digits. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

function decimalOf(text: string): Decimal | undefined {
  const [, sign, whole, fraction = '', power = '0'] = decimal.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.slice(0, lengthWithoutZeros(significant));
  if (digits === '') return { isNegative: false, digits, exponent: 0 };
  return { isNegative: sign === '-', digits, exponent: significant.length - fraction.length + Number(power) };
}

/** Returns the length without the zeros at the end. The pattern /0+$/ would take quadratic time. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return length;
}

/**
 * Compares two decimal numbers by their digits: negative when `a` is less than `b`, 0 when they are equal. Returns
 * undefined when either text is not a number in the syntax of JSON.
 */
export function compareDecimals(a: string, b: string): number | undefined {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one === undefined || other === undefined) return undefined;
  const [signOfOne, signOfOther] = [signOf(one), signOf(other)];
  if (signOfOne !== signOfOther) return signOfOne - signOfOther;
  return signOfOne < 0 ? compareMagnitudes(other, one) : compareMagnitudes(one, other);
}

function signOf({ isNegative, digits }: Decimal): number {
  if (digits === '') return 0;
  return isNegative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -1 : 1;
  // Digits after the point compare like texts.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}
