import type { EvaluationContext } from '@yardarm/evaluation';

/**
 * Built-in context fields that may have several values, separated by commas; `currentTime` may not. `\,` is a comma in
 * a value, and `\\` a backslash.
 */
const listableFields = ['appName', 'userId', 'sessionId', 'remoteAddress'] as const;

interface Field {
  readonly name: string;
  readonly isProperty: boolean;
  readonly values: readonly string[];
}

/** Returns the number of contexts that {@link combinations} yields. */
export function countCombinations(context: EvaluationContext): number {
  return fieldsOf(context).reduce((product, { values }) => product * values.length, 1);
}

/**
 * Yields every combination of the comma-separated values in the fields of `context` (their Cartesian product). The last
 * field changes first.
 */
export function* combinations(context: EvaluationContext): Generator<EvaluationContext> {
  const fields = fieldsOf(context);
  const count = countCombinations(context);
  for (let number = 0; number < count; number++) yield combination(context, fields, number);
}

function combination(context: EvaluationContext, fields: readonly Field[], number: number): EvaluationContext {
  let rest = number;
  const chosen = fields
    .toReversed()
    .map(({ name, isProperty, values }) => {
      const value = values[rest % values.length] as string;
      rest = Math.floor(rest / values.length);
      return { isProperty, entry: [name, value] as const };
    })
    .toReversed();
  const entriesOf = (property: boolean) =>
    Object.fromEntries(chosen.filter(({ isProperty }) => isProperty === property).map(({ entry }) => entry));
  return { ...context, ...entriesOf(false), ...(context.properties && { properties: entriesOf(true) }) };
}

function fieldsOf(context: EvaluationContext): Field[] {
  const fields = listableFields.flatMap((name) => fieldOf(name, context[name], false));
  const properties = Object.entries(context.properties ?? {});
  return [...fields, ...properties.flatMap(([name, value]) => fieldOf(name, String(value), true))];
}

function fieldOf(name: string, text: string | undefined, isProperty: boolean): Field[] {
  if (text === undefined) return [];
  const values = [...text.matchAll(/(?:\\[\\,]|[^,])+/gs)]
    .map(([value]) => value.trim().replace(/\\([\\,])/g, '$1'))
    .filter((value) => value !== '');
  return [{ name, isProperty, values: values.length === 0 ? [text] : [...new Set(values)] }];
}
