// This file imports nothing, so that the user interface can check values without the evaluation code.

const wholePercentage = /^(?:0|[1-9]\d?|100)$/;

/**
 * Returns why a text is refused as a percentage. Only whole numbers in their usual spelling are read the same by all
 * SDKs: of "33.3", "100.0" and "+5", those for Java, .NET, Python and Ruby make "off for everyone".
 */
export function percentageProblem(value: string): string | undefined {
  return wholePercentage.test(value) ? undefined : 'must be a whole number from 0 to 100, such as 33';
}

/**
 * Returns the IPv6 networks in the list of a strategy `remoteAddress`. The SDK for Node finds no address in them, those
 * for other languages do.
 */
export function ipv6Networks(list: string | undefined): readonly string[] {
  const items = (list ?? '').split(',').map((item) => item.trim());
  return items.filter((item) => item.includes(':') && item.includes('/'));
}

// No two parts of a pattern match the same digits, which avoids quadratic backtracking.
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Returns the decimal number that a text of a context spells, as the engine of newer SDKs reads it. Blank text, text
 * with spaces, hexadecimal digits and infinity are no numbers.
 */
export function readNumber(text: string): number | undefined {
  const value = number.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Returns why a text is refused as a number. The engine of newer SDKs cannot read ".5", and Ruby cannot read "5.". */
export function numberProblem(value: string): string | undefined {
  const isNumber = plainNumber.test(value) && readNumber(value) !== undefined;
  return isNumber ? undefined : 'must be a decimal number without spaces, such as 18, -0.5 or 1e3';
}

const day = String.raw`(\d{4}-\d{2}-\d{2})`;
const isoTime = new RegExp(
  String.raw`^${day}(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$`,
);
/** A time as all SDKs read it: the engine of newer SDKs takes no other form. */
const fullTime = new RegExp(
  String.raw`^${day}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?(?:Z|[+-](?:0\d|1\d|2[0-3]):[0-5]\d)$`,
);
/** The date of HTTP headers, RFC 9110. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the time, in milliseconds since 1970, that a text of a context spells, by ISO 8601 or RFC 9110; NaN for other
 * text. Text without a zone is UTC, so that the result does not depend on the zone of the server.
 */
export function readTime(text: string): number {
  if (httpDate.test(text)) return Date.parse(text);
  const match = isoTime.exec(text);
  if (match === null || !isRealDay(match[1] ?? '')) return Number.NaN;
  const iso = text.replace(' ', 'T');
  const zone = match[3];
  return Date.parse(match[2] === undefined || zone !== undefined ? iso : `${iso}Z`);
}

/** Returns why a text is refused as a date. Text without a zone is another moment for each SDK. */
export function dateProblem(value: string): string | undefined {
  const match = fullTime.exec(value);
  if (match !== null && isRealDay(match[1] ?? '')) return undefined;
  return 'must be a date and time with a zone, such as 2026-03-31T12:00:00.000Z or 2026-03-31T14:00:00+02:00';
}

/** Returns whether a day is in the calendar: `Date.parse` reads 31 February as 3 March. */
function isRealDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`);
  return Number.isFinite(at) && new Date(at).toISOString().slice(0, 10) === text;
}
