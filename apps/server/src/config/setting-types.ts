import { z } from 'zod';
import { isOrigin } from '#kernel/origin.ts';

/** A setting: the environment variables that set it, how their text is parsed, and its meaning. */
export interface Setting {
  readonly names: readonly [string, ...string[]];
  /**
   * Parses the text. The inner schema's description names the allowed values. A setting without a default is optional,
   * and an empty text counts as not set.
   */
  readonly value: z.ZodDefault<z.ZodType<unknown, string>> | z.ZodOptional<z.ZodType<unknown, string>>;
  readonly meaning: string;
  readonly secret?: boolean;
}

/** Returns a description of the values that a setting takes, such as `true or false`. */
export function allowedValues({ value }: Setting): string {
  return value.unwrap().description ?? '';
}

/** Settings by the name of their value in the config. */
export type Settings = Readonly<Record<string, Setting>>;

export const text = z.string().describe('text');

/** Returns a schema of a whole number from `min` to `max`, inclusive. Notations such as 1e3 and 0x10 are refused. */
export function wholeNumber(min: number, max: number) {
  const digits = z.string().regex(/^\d+$/).transform(Number);
  return digits.pipe(z.number().min(min).max(max)).describe(`a whole number from ${min} to ${max}`);
}

export const trueOrFalse = z
  .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], case: 'sensitive' })
  .describe('true or false');

/** Returns a schema of a whole number from 0 to `max`; `true` is read as 1 and `false` as 0. */
export function countOrBoolean(max: number) {
  const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).transform(Number);
  return z.union([flag, wholeNumber(0, max)]).describe(`true, false or a whole number from 0 to ${max}`);
}

export function oneOf<const V extends readonly [string, ...string[]]>(values: V) {
  return z.enum(values).describe(`one of ${values.join(', ')}`);
}

/** When a replica is ready. */
export const readiness = z
  .string()
  .regex(/^(any|in-sync|max-age=\d{1,7})$/)
  .describe('any, in-sync or max-age= with seconds');

/** Comma-separated values; empty values are dropped. */
export const list = z
  .string()
  .transform((value): readonly string[] => value.split(',').flatMap((item) => item.trim() || []))
  .describe('a list, with commas between');

/** Comma-separated web origins; `*` allows all. */
export const origins = list
  .refine((items) => items.every((item) => item === '*' || isOrigin(item)))
  .describe('a list of origins such as https://example.com, or *, with commas between');

/**
 * A public address without credentials, query and fragment. Slashes at the end are dropped; an empty text means none.
 */
export const webAddress = z
  .union([z.literal(''), z.url({ protocol: /^https?$/ }).regex(/^[^/]+\/\/[^/?#@]+(\/[^?#]*)?$/)])
  .transform((value) => value.replace(/\/+$/, ''))
  .describe('a URL of http:// or https:// with a host, a port and a path only');

/** The address of a server, which may contain a user name and a password; no query and no fragment. */
export const serverAddress = z
  .url({ protocol: /^https?$/ })
  .regex(/^[^?#]+$/)
  .refine(hasReadableCredentials)
  .describe('a URL of http:// or https:// without a query');

function hasReadableCredentials(value: string): boolean {
  const { username, password } = new URL(value);
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

/** A path with a slash at the beginning and none at the end; empty for the root (docs/spec#http-rules). */
export const basePath = z
  .string()
  .transform((value) => `/${value.replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, ''))
  .describe('a path');

export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//)
  .describe('a URL that begins with postgres://');
