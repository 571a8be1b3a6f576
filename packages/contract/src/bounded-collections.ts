import { z } from 'zod';

/** An array of at most `max` items. A longer array is refused with a single issue before any item is validated. */
export function arrayOf<S extends z.ZodType>(item: S, max: number) {
  return z.preprocess(refuseAbove(max, 'items', lengthOf), z.array(item).max(max));
}

/**
 * A JSON object of at most `max` members. A larger object is refused with a single issue before any member is
 * validated.
 */
export function recordOf<K extends z.ZodType<string, string>, S extends z.ZodType>(key: K, value: S, max: number) {
  return z.preprocess(refuseAbove(max, 'members', membersOf), z.record(key, value));
}

function refuseAbove(max: number, what: string, count: (value: unknown) => number) {
  return (value: unknown, context: z.RefinementCtx): unknown => {
    const found = count(value);
    if (found <= max) return value;
    context.addIssue({ code: 'custom', message: `must have at most ${max} ${what}, not ${found}` });
    return z.NEVER;
  };
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function membersOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}
