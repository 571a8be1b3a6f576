/**
 * The shape of a JSON value that an SDK reads. A field whose name ends in `?` may be absent; a type that ends in
 * `|null` may be null.
 */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)),
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  integers: (value) => Array.isArray(value) && value.every((item) => Number.isSafeInteger(item)),
  'map of strings': (value) => isObject(value) && Object.values(value).every((item) => typeof item === 'string'),
  'fix or variable': (value) => value === 'fix' || value === 'variable',
};

/** The result of comparing values with a shape: the fields found, and the violations. */
export interface Reading {
  readonly served: Set<string>;
  readonly problems: string[];
}

/** Reads `value` as an SDK that expects `shape`, and records which fields are present and which are wrong. */
export function readShape(shape: Shape, value: unknown, path: string, reading: Reading): void {
  if (typeof shape === 'string') {
    const [type = '', nullable] = shape.split('|');
    const holds = types[type];
    if (holds === undefined) throw new Error(`${path}: there is no type ${type}`);
    if (!(value === null && nullable === 'null') && !holds(value)) {
      reading.problems.push(`${path}: ${JSON.stringify(value)} is not ${shape}`);
    } else if (value !== null) reading.served.add(path);
    return;
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) reading.problems.push(`${path}: ${JSON.stringify(value)} is not a list`);
    else for (const item of value) readShape(shape[0], item, `${path}[]`, reading);
    return;
  }
  if (!isObject(value)) {
    reading.problems.push(`${path}: ${JSON.stringify(value)} is not an object`);
    return;
  }
  for (const [field, inner] of fieldsOf(shape)) {
    const at = `${path}.${field.name}`;
    if (value[field.name] !== undefined) readShape(inner, value[field.name], at, reading);
    else if (!field.isOptional) reading.problems.push(`${at} is missing`);
  }
}

/** Returns the paths of the fields of a shape that are neither objects nor lists of objects. */
export function fieldPaths(shape: Shape, path: string): string[] {
  if (typeof shape === 'string') return [path];
  if (isList(shape)) return fieldPaths(shape[0], `${path}[]`);
  return fieldsOf(shape).flatMap(([field, inner]) => fieldPaths(inner, `${path}.${field.name}`));
}

function fieldsOf(shape: { readonly [field: string]: Shape }) {
  return Object.entries(shape).map(([field, inner]) => {
    const isOptional = field.endsWith('?');
    return [{ name: isOptional ? field.slice(0, -1) : field, isOptional }, inner] as const;
  });
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
