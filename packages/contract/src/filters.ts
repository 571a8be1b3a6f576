import { plainText } from './text.ts';

/** The maximum length of a filter. It never applies, because a request line cannot be that long. */
const longestFilter = 20_000;
const mostValues = 500;

/** A parsed filter of a search. */
export interface Filter<Operator extends string> {
  readonly operator: Operator;
  readonly values: readonly string[];
}

/**
 * Returns a schema that parses `OPERATOR:a,b`, such as `IS_ANY_OF:a,b`, to a {@link Filter} (docs/spec#search-filters).
 * `\,` is a comma inside a value.
 */
export function filter<Operator extends string>(...operators: readonly [Operator, ...Operator[]]) {
  return filterOf(operators, () => true);
}

/**
 * Returns the schema of a {@link filter} whose values are tags as `type:value`. A comma that no type follows belongs to
 * the value before it.
 */
export function tagFilter<Operator extends string>(...operators: readonly [Operator, ...Operator[]]) {
  return filterOf(operators, (piece) => piece.includes(':')).refine(
    ({ values }) => values.every((value) => /^[^:]+:.+$/s.test(value)),
    'must name tags as type:value',
  );
}

function filterOf<Operator extends string>(
  operators: readonly [Operator, ...Operator[]],
  isValue: (piece: string) => boolean,
) {
  const [first] = operators;
  const shapes = operators.length === 1 ? `${first}:value` : `${first}:value or ${operators.at(-1)}:value,value`;
  return plainText(longestFilter)
    .regex(new RegExp(`^(${operators.join('|')}):.+$`, 's'), `must look like ${shapes}`)
    .transform((text): Filter<Operator> => {
      const end = text.indexOf(':');
      const values: string[] = [];
      for (const piece of text.slice(end + 1).split(/(?<!\\),/)) {
        if (values.length === 0 || isValue(piece)) values.push(piece);
        else values.push(`${values.pop()},${piece}`);
      }
      return {
        operator: text.slice(0, end) as Operator,
        values: values.map((value) => value.replaceAll('\\,', ',').trim()).filter((value) => value !== ''),
      };
    })
    .refine(({ values }) => values.length > 0 && values.length <= mostValues, `must name 1 to ${mostValues} values`);
}

/** Returns the schema of a {@link filter} whose values are whole numbers. */
export function numberFilter<Operator extends string>(...operators: readonly [Operator, ...Operator[]]) {
  return filter(...operators).refine(
    ({ values }) => values.every((value) => /^-?\d{1,15}$/.test(value)),
    'must name whole numbers',
  );
}

/** Returns the schema of a {@link filter} whose values are members of `allowed`. */
export function choiceFilter<Operator extends string>(
  allowed: readonly string[],
  ...operators: readonly [Operator, ...Operator[]]
) {
  return filter(...operators).refine(
    ({ values }) => values.every((value) => allowed.includes(value)),
    `must name ${allowed.join(', ')}`,
  );
}
