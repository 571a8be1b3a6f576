import { z } from 'zod';

/**
 * Returns a schema of text that every database stores unchanged: all of Unicode except U+0000, which PostgreSQL does
 * not support, and lone surrogates, which UTF-8 does not support. At most `max` UTF-16 code units.
 */
export function plainText(max: number) {
  return z.string().max(max, `must have at most ${max} characters`).refine(isStorable, notStorable);
}

/** Returns a schema like {@link plainText} for the text of a search: trimmed; undefined when it is blank. */
export function searchText(max: number) {
  return plainText(max)
    .transform((text) => text.trim() || undefined)
    .optional();
}

/** Returns a schema like {@link plainText} for text that is not blank. */
export function filledText(max: number) {
  return plainText(max).refine((value) => value.trim() !== '', 'must not be empty');
}

const notStorable = 'must not contain U+0000 or a lone surrogate';

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Returns a schema like {@link filledText} for a name that is a key in a state file, where `__proto__` is refused. */
export function keyText(max: number) {
  return filledText(max).refine((value) => value !== '__proto__', 'must not be __proto__');
}

/**
 * Returns a schema of a key in a state file that is a name as `label` leaves it: one line, trimmed, not `__proto__`.
 */
export function keyLabel(max: number) {
  return keyText(max).refine(isLabel, 'must not begin or end with white space, or contain control characters');
}

const isLabel = (value: string) => value === value.trim() && !/\p{Cc}/u.test(value);

/** A name in a path. The named object may not exist. */
export const nameParam = plainText(500);

/** `.` and `..` change a path, and no body may contain the key `__proto__`. */
const notReserved = (value: string) => !['.', '..', '__proto__'].includes(value);
const notReservedMessage = 'must not be ., .. or __proto__';

/** The name of a flag: 1 to 100 characters that need no encoding in a URL (docs/spec#flag-names). */
export const featureNameText = z
  .string()
  .regex(/^[A-Za-z0-9\-_.!~*'()]{1,100}$/, "must have 1 to 100 characters, only letters, digits and -_.!~*'()")
  .refine(notReserved, notReservedMessage);

/** Id of a project or name of an environment: 1 to 100 URL-friendly characters (docs/spec#projects). */
export const urlFriendly = z
  .string()
  .regex(/^[A-Za-z0-9_~.-]{1,100}$/, 'must have 1 to 100 characters, only letters, digits and _~.-')
  .refine(notReserved, notReservedMessage);

/** Returns whether no text occurs twice. */
export const hasEachOnce = (texts: readonly string[]) => new Set(texts).size === texts.length;
export const eachOnce = 'must name each value once';

/** A position in an order, limited to 32 bits. */
export const sortOrder = z.number().int().min(-2147483648).max(2147483647);
