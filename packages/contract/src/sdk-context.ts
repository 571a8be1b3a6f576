import { z } from 'zod';
import { plainText } from './text.ts';

const fieldNames = ['appName', 'userId', 'sessionId', 'remoteAddress', 'environment', 'currentTime'] as const;
const maxFields = 100;

/** For whom flags are evaluated (docs/spec#evaluation-context). Numbers and truth values have become their text. */
export type SdkContext = { readonly [K in (typeof fieldNames)[number]]?: string } & {
  readonly properties?: Readonly<Record<string, string>>;
};

/** A context, and the paths of what could not be read. */
export interface ReadContext {
  readonly context: SdkContext;
  readonly invalid: readonly string[];
}

const scalar = z.union([plainText(10_000), z.number().transform(String), z.boolean().transform(String)]);
const time = plainText(100).refine((text) => Number.isFinite(Date.parse(text)));

/**
 * Reads a context. Fields that SDKs do not know become properties (docs/spec#frontend-api); null is absent. What is no
 * text, number or truth value is left out and named in `invalid`, and so is a `currentTime` that is no date.
 */
export function readContext({ properties, ...fields }: Readonly<Record<string, unknown>>): ReadContext {
  const invalid: string[] = [];
  const own: [string, string][] = [];
  const others: [string, string][] = [];
  const take = (name: string, value: unknown, to: [string, string][], path = name) => {
    if (value === null || value === undefined) return;
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

/** Whether a context holds no more fields, properties included, than any that makes sense. */
export function hasFewFields({ properties, ...fields }: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(fields).length + (isRecord(properties) ? Object.keys(properties).length : 0) <= maxFields;
}

export const tooManyFields = `must have at most ${maxFields} fields`;

/** A context as it is sent. */
export const contextRecord = z.record(z.string(), z.unknown()).refine(hasFewFields, tooManyFields);

/** A context that must be right as a whole. */
export const contextBody = contextRecord.transform((fields, refining): SdkContext => {
  const { context, invalid } = readContext(fields);
  for (const path of invalid) refining.addIssue({ code: 'custom', message: wrongField, path: path.split('.') });
  return context;
});

/** What a field of a context must be. */
export const wrongField = 'must be text of at most 10000 characters, a number or a truth value; currentTime a date';

function isField(name: string): boolean {
  return (fieldNames as readonly string[]).includes(name);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
