/** The parts of a JSON Schema that a page uses. */
export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A part of a schema that gets a table of its own. */
export interface Section {
  readonly title: string;
  /** The path of the part, keys joined by dots; `*` is any key of a record, `[]` the elements of a list. */
  readonly at: string;
  /** Other paths of the same shape, which link to this table. */
  readonly alsoAt?: readonly string[];
  readonly text?: string;
}

/**
 * Returns a table for each section, with every key that the schema accepts there. Objects without a section are part of
 * the table of their parent.
 */
export function schemaTables(schema: JsonSchema, sections: readonly Section[]): string {
  return sections
    .map(({ title, at, text }) => {
      const rows = rowsOf(at, '', partAt(schema, at), sections);
      const head = '| Key | Required | Takes | Default | Meaning |\n|---|---|---|---|---|';
      return `## ${title}\n\n${text === undefined ? '' : `${text}\n\n`}${head}\n${rows.join('\n')}\n`;
    })
    .join('\n');
}

/** Returns the values that a schema accepts, in words. */
export function takenBy(schema: JsonSchema, at = '', sections: readonly Section[] = []): string {
  const section = sections.find((candidate) => candidate.at === at || candidate.alsoAt?.includes(at) === true);
  if (section !== undefined) {
    const orNull = schema.anyOf?.some(({ type }) => type === 'null') === true ? ' or `null`' : '';
    return `[${section.title.toLowerCase()}](#${anchorOf(section.title)})${orNull}`;
  }
  if (schema.$ref !== undefined) return 'any JSON';
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => `\`${value}\``).join(', ')}`;
  if (schema.anyOf !== undefined) return schema.anyOf.map((option) => takenBy(option, at, sections)).join(' or ');
  if (schema.type === 'array') {
    const most = schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`;
    return `list${most}: ${takenBy(schema.items ?? {}, below(at, '[]'), sections)}`;
  }
  if (schema.type === 'object') {
    if (schema.properties !== undefined || !schema.additionalProperties) return 'object';
    return `object of any keys: ${takenBy(schema.additionalProperties, below(at, '*'), sections)}`;
  }
  if (schema.type === 'string') return textTakenBy(schema);
  if (schema.type === 'boolean') return '`true` or `false`';
  if (schema.type === 'integer') return `whole number${rangeOf(schema)}`;
  return schema.type === 'null' ? '`null`' : (schema.type ?? 'any JSON');
}

function textTakenBy({ pattern, minLength, maxLength }: JsonSchema): string {
  if (pattern !== undefined)
    return `text that matches ${code(pattern)}${maxLength === undefined ? '' : `, at most ${maxLength} characters`}`;
  if (maxLength === undefined) return 'text';
  return minLength === undefined
    ? `text, at most ${maxLength} characters`
    : `text, ${minLength} to ${maxLength} characters`;
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  return minimum === undefined || maximum === undefined || !Number.isSafeInteger(maximum + 1)
    ? ''
    : ` from ${minimum} to ${maximum}`;
}

function rowsOf(at: string, shown: string, schema: JsonSchema, sections: readonly Section[]): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const place = below(at, key);
    const name = shown === '' ? key : `${shown}.${key}`;
    const usual = property.default === undefined ? '' : code(JSON.stringify(property.default));
    const needed = schema.required?.includes(key) === true ? 'yes' : '';
    const row = `| \`${name}\` | ${needed} | ${takenBy(property, place, sections)} | ${usual} | ${property.description ?? ''} |`;
    return [row, ...within(place, name, property, sections)];
  });
}

/** Returns the rows of objects inside a value that have no section of their own. */
function within(at: string, shown: string, schema: JsonSchema, sections: readonly Section[]): string[] {
  if (sections.some((section) => section.at === at || section.alsoAt?.includes(at) === true)) return [];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => within(at, shown, option, sections));
  if (schema.properties !== undefined) return rowsOf(at, shown, schema, sections);
  if (schema.items !== undefined) return within(below(at, '[]'), `${shown}[]`, schema.items, sections);
  const { additionalProperties: any } = schema;
  return any === undefined || any === false ? [] : within(below(at, '*'), `${shown}.*`, any, sections);
}

function partAt(schema: JsonSchema, at: string): JsonSchema {
  let part = objectIn(schema);
  for (const step of at === '' ? [] : at.split('.')) {
    const next = step === '*' ? part.additionalProperties : step === '[]' ? part.items : part.properties?.[step];
    if (next === undefined || next === false) throw new Error(`the schema has nothing at ${at}`);
    part = objectIn(next);
  }
  return part;
}

/** Returns the object or list of a schema that also allows null, or else the schema itself. */
function objectIn(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema;
}

function below(at: string, step: string): string {
  return at === '' ? step : `${at}.${step}`;
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Returns a text as code in a cell of a table. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
