import { z } from 'zod';

/** A time as answers contain it: ISO 8601 in UTC, with milliseconds. */
export const dateTime = z.iso.datetime();

/**
 * A time with any offset, parsed to milliseconds. Limited to the year 9999, because answers have four-digit years in
 * UTC.
 */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be a date and time such as 2027-01-31T12:00:00Z' })
  .transform((value) => Date.parse(value))
  .refine((ms) => ms >= 0 && ms < Date.UTC(10_000, 0), 'must be a time in the years 1970 to 9999');

/** Row ids are positive and fit a 32-bit column, so that no id overflows on any engine. */
export const id = z.number().int().min(1).max(2147483647);

/** An id inside a path or a query string. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a positive integer')
  .transform(Number)
  .refine((n) => n <= 2147483647, 'must be a positive 32-bit integer');

/** Stored JSON that the server passes on as text, without parsing. */
export const anyJson = z.any().meta({ description: 'Any JSON value' });

/** Returns the query parameters `offset` and `limit` (docs/spec#paging). */
export function paging(defaultLimit: number, maxLimit: number) {
  return {
    offset: z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number from 0 to 999999999')
      .optional()
      .transform((value) => Number(value ?? 0)),
    limit: z
      .string()
      .refine(
        (value) => /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= maxLimit,
        `must be a whole number from 1 to ${maxLimit}`,
      )
      .optional()
      .transform((value) => (value === undefined ? defaultLimit : Number(value))),
  };
}

/** Parses `yyyy-MM-dd` to the start of that day (UTC) in milliseconds. */
export const isoDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-03-31', abort: true })
  // Date.parse reads 30 February as 2 March.
  .refine((value) => {
    const ms = startOfDay(value);
    return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(value);
  }, 'must be a date that exists')
  .transform(startOfDay);

/**
 * Parses `IS:yyyy-MM-dd` to the start of that day, or `IS:` with a date and time to that time, in milliseconds.
 * Unleash supports only days (docs/spec#event-search).
 */
export const isFrom = isMoment(0);

/**
 * Parses like {@link isFrom}, for an exclusive upper limit: a day is parsed to its end, so that the day is included.
 */
export const isUntil = isMoment(24 * 60 * 60 * 1000);

function isMoment(lengthOfDay: number) {
  return z
    .string()
    .regex(/^IS:/, { error: 'must look like IS:2026-03-31 or IS:2026-03-31T12:00:00Z', abort: true })
    .transform((value, context) => {
      const named = value.slice(3);
      const isTime = named.includes('T');
      const read = (isTime ? instant : isoDay).safeParse(named);
      if (read.success) return isTime ? read.data : read.data + lengthOfDay;
      context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? 'must be a date' });
      return z.NEVER;
    });
}

function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** One line of text, without control characters and lone surrogates. */
export const line = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');

/**
 * Returns a schema of a name that a user chooses: one line of 1 to `max` characters, trimmed. Not `__proto__`, which no
 * file of state can have as a key.
 */
export function label(max: number) {
  return line
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((name) => name !== '__proto__', 'must not be __proto__');
}
