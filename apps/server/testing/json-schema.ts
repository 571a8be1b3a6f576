import type { RouteSpec } from '@yardarm/contract';
import fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that the schemas of the contract use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Converts a schema of the contract to JSON Schema; a missing schema becomes an object without fields. */
export function printed(schema: RouteSpec['body']): JsonSchema {
  if (schema === undefined) return { type: 'object' };
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The maximum length of generated strings and arrays. */
const longest = 200;
const mostItems = 3;

/**
 * Generates values that `schema` allows. Free strings are often one of `words`, so that names often refer to existing
 * objects. Checks beyond JSON Schema are not considered: validate the value with the schema itself.
 */
export function arbitraryOf(schema: JsonSchema, words: readonly string[]): fc.Arbitrary<unknown> {
  const { type } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((alternative) => arbitraryOf(alternative, words)));
  if (Array.isArray(type))
    return fc.oneof(...type.map((alternative) => arbitraryOf({ ...schema, type: alternative }, words)));
  switch (type) {
    case 'string':
      return stringOf(schema, words);
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, words), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? mostItems, mostItems)),
      });
    case 'object':
      return objectOf(schema, words);
    default:
      return fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
  }
}

function objectOf(schema: JsonSchema, words: readonly string[]): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, arbitraryOf(value, words)])),
    { requiredKeys: required.filter((key) => key in properties) },
  );
  if (typeof additionalProperties !== 'object') return named;
  const keys = stringOf({ type: 'string', ...schema.propertyNames }, words);
  const more = fc.dictionary(keys, arbitraryOf(additionalProperties, words), { maxKeys: mostItems });
  return fc.tuple(named, more).map(([some, others]) => ({ ...others, ...some }));
}

function stringOf(schema: JsonSchema, words: readonly string[]): fc.Arbitrary<string> {
  const min = schema.minLength ?? 0;
  const max = Math.max(min, Math.min(schema.maxLength ?? longest, longest));
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  const fits = (text: string) => text.length >= min && text.length <= max && (pattern?.test(text) ?? true);
  const known = words.filter(fits);
  const unknown = madeUp(schema, min, max).filter(fits);
  return known.length === 0 ? unknown : fc.oneof(fc.constantFrom(...known), unknown);
}

function madeUp(schema: JsonSchema, min: number, max: number): fc.Arbitrary<string> {
  if (schema.format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (schema.format === 'email') return fc.emailAddress();
  // The generator does not support Unicode properties such as `\p{L}`. Nearly any text matches such patterns.
  if (schema.pattern !== undefined && !schema.pattern.includes('\\p{'))
    return fc.stringMatching(new RegExp(schema.pattern));
  return anyText(min, max);
}

const texts = new Map<string, fc.Arbitrary<string>>();

/** Returns the generator of any text of these lengths. Building it takes milliseconds, so that it is kept. */
function anyText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const key = `${minLength}-${maxLength}`;
  const text = texts.get(key) ?? fc.string({ unit: 'binary', minLength, maxLength });
  texts.set(key, text);
  return text;
}

function rangeOf({ minimum = -1e6, maximum = 1e6 }: JsonSchema): { min: number; max: number } {
  return { min: minimum, max: maximum };
}
