import type { EvaluationContext } from '@yardarm/evaluation';

/** Fields whose text may list several values. A time may not: none has a comma. */
const own = ['appName', 'userId', 'sessionId', 'remoteAddress'] as const;

interface Field {
  readonly name: string;
  readonly isProperty: boolean;
  readonly values: readonly string[];
}

/** How many contexts {@link combinations} makes. */
export function countCombinations(context: EvaluationContext): number {
  return fieldsOf(context).reduce((product, { values }) => product * values.length, 1);
}

/**
 * Every context in which each field has one of the values that the text of `context` lists with commas between them; the last
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
  const fields = own.flatMap((name) => fieldOf(name, context[name], false));
  const properties = Object.entries(context.properties ?? {});
  return [...fields, ...properties.flatMap(([name, value]) => fieldOf(name, String(value), true))];
}

function fieldOf(name: string, text: string | undefined, isProperty: boolean): Field[] {
  if (text === undefined) return [];
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [{ name, isProperty, values: values.length === 0 ? [text] : [...new Set(values)] }];
}
