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

/** Every context in which each field has one of the values that the text of `context` lists with commas between them. */
export function combinations(context: EvaluationContext): EvaluationContext[] {
  let made: EvaluationContext[] = [{ ...context, ...(context.properties && { properties: {} }) }];
  for (const { name, isProperty, values } of fieldsOf(context)) {
    made = made.flatMap((one) =>
      values.map((value) =>
        isProperty
          ? { ...one, properties: Object.fromEntries([...Object.entries(one.properties ?? {}), [name, value]]) }
          : { ...one, [name]: value },
      ),
    );
  }
  return made;
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
