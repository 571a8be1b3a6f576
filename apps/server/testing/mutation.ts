import fc from 'fast-check';
import type { JsonSchema } from './json-schema.ts';

/** Larger maximum lengths are not exceeded, because the texts would be very long. */
const tooLong = 120_000;

/**
 * Generates changed copies of a valid `value` with one fault, such as a missing field, a value of another type or a
 * text that is too long.
 */
export function mutationOf(schema: JsonSchema, value: unknown): fc.Arbitrary<unknown> {
  const wrong = faultsOf(schema, value);
  return fc.nat({ max: wrong.length - 1 }).map((index) => wrong[index]?.());
}

type Wrong = () => unknown;

/** Returns functions that return changed copies of `value`, each with one fault in a field of it or of the schema. */
export function faultsOf(schema: JsonSchema, value: unknown): Wrong[] {
  const here: Wrong[] = [...otherTypes(value), ...outOfBounds(schema)];
  if (Array.isArray(value)) {
    const { maxItems } = schema;
    if (maxItems !== undefined && maxItems < 1000) here.push(() => Array(maxItems + 1).fill(value[0] ?? 'x'));
    return [
      ...here,
      ...value.flatMap((item, at) => faultsOf(schema.items ?? {}, item).map((wrong) => () => value.with(at, wrong()))),
    ];
  }
  if (typeof value === 'object' && value !== null) {
    return [
      ...here,
      ...Object.keys({ ...schema.properties, ...value }).flatMap((key) =>
        faultsOfKey(schema, value as Record<string, unknown>, key),
      ),
    ];
  }
  return here;
}

function faultsOfKey(schema: JsonSchema, value: Record<string, unknown>, key: string): Wrong[] {
  const { [key]: inner, ...others } = value;
  const innerSchema = schema.properties?.[key] ?? {};
  const misspelt: Wrong[] = [() => others, () => ({ ...others, [`${key} `]: inner })];
  return [
    ...(schema.required?.includes(key) === true ? misspelt : []),
    ...faultsOf(innerSchema, inner).map((wrong) => () => ({ ...others, [key]: wrong() })),
  ];
}

function otherTypes(value: unknown): Wrong[] {
  const others = [null, true, 7, -1.5, 'text', '', '\0', '\ud800', [], [null], {}, { length: 1 }];
  const kind = kindOf(value);
  return others.filter((other) => kindOf(other) !== kind || typeof other === 'string').map((other) => () => other);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

function outOfBounds({ minimum, maximum, maxLength, minLength, enum: allowed, pattern }: JsonSchema): Wrong[] {
  return [
    ...(minimum === undefined ? [] : [() => minimum - 1, () => minimum - 0.5, () => -1e300]),
    ...(maximum === undefined ? [] : [() => maximum + 1, () => 1e300]),
    ...(maxLength === undefined || maxLength >= tooLong ? [] : [() => 'x'.repeat(maxLength + 1)]),
    ...(minLength === undefined || minLength === 0 ? [] : [() => '', () => ' ']),
    ...(allowed === undefined ? [] : [() => `${String(allowed[0])}?`]),
    ...(pattern === undefined ? [] : [() => '\n', () => '%00', () => ' ']),
  ];
}
