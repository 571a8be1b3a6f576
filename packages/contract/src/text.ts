import { z } from 'zod';

/**
 * Text that every engine stores and every client reads back unchanged: all of Unicode but U+0000, which
 * PostgreSQL cannot hold, and half of a surrogate pair, which UTF-8 cannot. At most `max` UTF-16 units.
 */
export function plainText(max: number) {
  return z.string().max(max, `must have at most ${max} characters`).refine(isStorable, notStorable);
}

/** {@link plainText} that is not blank. */
export function filledText(max: number) {
  return plainText(max).refine((value) => value.trim() !== '', 'must not be empty');
}

const notStorable = 'must not hold U+0000 or half of a surrogate pair';

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** A name inside a path, of something that may or may not be there. */
export const nameParam = plainText(500);

const notDots = (value: string) => value !== '.' && value !== '..';
const notDotsMessage = 'must not be . or ..';

/** Name of a flag: 1 to 100 characters that stand for themselves in a URL (docs/spec#flag-names). */
export const featureNameText = z
  .string()
  .regex(/^[A-Za-z0-9\-_.!~*'()]{1,100}$/, "may hold letters, digits and -_.!~*'(), 1 to 100 of them")
  .refine(notDots, notDotsMessage);

/** Id of a project or name of an environment: 1 to 100 URL-friendly characters (docs/spec#projects). */
export const urlFriendly = z
  .string()
  .regex(/^[A-Za-z0-9_~.-]{1,100}$/, 'may hold letters, digits and _~.-, 1 to 100 of them')
  .refine(notDots, notDotsMessage);

/** A whole number that fits a 32-bit column: where something stands in an order. */
export const sortOrder = z.number().int().min(-2147483648).max(2147483647);
