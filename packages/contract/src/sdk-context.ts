import { readTime } from '@yardarm/evaluation/values';
import { z } from 'zod';
import { LongNumber } from './long-number.ts';
import { plainText } from './text.ts';

const fieldNames = ['appName', 'userId', 'sessionId', 'remoteAddress', 'environment', 'currentTime'] as const;
const maxFields = 100;

/** An evaluation context (docs/spec#evaluation-context). Numbers and booleans are converted to text. */
export type SdkContext = { readonly [K in (typeof fieldNames)[number]]?: string } & {
  readonly properties?: Readonly<Record<string, string>>;
};

/** A parsed context, and the paths of the fields that were left out because they are invalid. */
export interface ReadContext {
  readonly context: SdkContext;
  readonly invalid: readonly string[];
}

const scalar = z.union([
  plainText(10_000),
  z.number().transform(String),
  z.boolean().transform(String),
  z.instanceof(LongNumber).transform(String).pipe(plainText(10_000)),
]);
const time = plainText(100).refine((text) => Number.isFinite(readTime(text)));

/**
 * Reads a context. Unknown fields become properties (docs/spec#frontend-api); null counts as absent, and so does blank
 * text for the standard fields, also among the properties. Values that are not text, numbers or booleans, and a
 * `currentTime` that is not a date, are left out and listed in `invalid`.
 */
export function readContext({ properties, ...fields }: Readonly<Record<string, unknown>>): ReadContext {
  const invalid: string[] = [];
  const own: [string, string][] = [];
  const others: [string, string][] = [];
  const take = (name: string, value: unknown, to: [string, string][], path = name) => {
    if (value === null || value === undefined || (isField(name) && isBlank(value))) return;
    const read = (path === 'currentTime' ? time : scalar).safeParse(value);
    if (read.success) to.push([name, read.data]);
    else invalid.push(path);
  };
  for (const [name, value] of Object.entries(fields)) take(name, value, isField(name) ? own : others);
  if (isRecord(properties)) {
    for (const [name, value] of Object.entries(properties)) take(name, value, others, `properties.${name}`);
  } else if (properties !== undefined && properties !== null) invalid.push('properties');
  const context = Object.fromEntries(own) as SdkContext;
  return { context: others.length === 0 ? context : { ...context, properties: Object.fromEntries(others) }, invalid };
}

/** Returns whether a context has at most 100 fields, including properties. */
export function hasFewFields({ properties, ...fields }: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(fields).length + (isRecord(properties) ? Object.keys(properties).length : 0) <= maxFields;
}

export const tooManyFields = `must have at most ${maxFields} fields`;

/** A context whose fields are not validated one by one. */
export const contextRecord = z.record(z.string(), z.unknown()).refine(hasFewFields, tooManyFields);

/** A context; any invalid field is refused. */
export const contextBody = contextRecord.transform((fields, refining): SdkContext => {
  const { context, invalid } = readContext(fields);
  for (const path of invalid) refining.addIssue({ code: 'custom', message: wrongField, path: path.split('.') });
  return context;
});

/** The error message for an invalid field of a context. */
export const wrongField = 'must be text of at most 10000 characters, a number or a boolean; currentTime must be a date';

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function isField(name: string): boolean {
  return (fieldNames as readonly string[]).includes(name);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
