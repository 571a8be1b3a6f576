import {
  compileConstraint,
  EvaluationBudget,
  type FilterOperator,
  readyContext,
  type SearchResult,
  takesList,
} from '@yardarm/evaluation';
import { filterOperatorNames } from '@yardarm/evaluation/operators';
import { z } from 'zod';
import { checkFilterValues } from '#features/platform/constraints/index.ts';
import { badField } from '#kernel/errors.ts';
import { tooManyItems } from '#kernel/limits.ts';
import { pathProblem, textAt } from '#kernel/payload-path.ts';
import { passesByDigits } from './compare-digits.ts';

/** A condition on one path of the payload, with the semantics of a strategy constraint (docs/spec#action-filters). */
export interface Filter {
  readonly operator: FilterOperator;
  readonly inverted?: boolean | undefined;
  readonly caseInsensitive?: boolean | undefined;
  readonly value?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** Filters by payload path. All must pass. */
export type Filters = Readonly<Record<string, Filter>>;

export interface FilterLimits {
  /** The maximum number of filters that must all pass. */
  readonly filters: number;
  /** The maximum number of values of a filter. */
  readonly values: number;
}

/** The result of one filter. */
export interface FilterResult {
  readonly path: string;
  readonly passes: boolean;
  /** The text found at the path; null when there is none. */
  readonly found: string | null;
  /** The expected and the found value, in a sentence. */
  readonly why: string;
}

/**
 * Throws a 400 that names the first invalid filter, below the field `at`. A filter without values is invalid, because
 * it would pass always or never.
 */
export function checkFilters(filters: Filters, limits: FilterLimits, at: string): void {
  const entries = Object.entries(filters);
  if (entries.length > limits.filters) throw tooMany(at, limits.filters, 'filters');
  for (const [path, filter] of entries) {
    const field = `${at}.${path}`;
    const problem = pathProblem(path);
    if (problem !== undefined) throw badField(field, problem);
    const values = filter.values ?? [];
    if (new Set(values).size > limits.values) throw tooMany(`${field}.values`, limits.values, 'values');
    if (takesList(filter.operator)) {
      if (!values.some((value) => value.trim() !== '')) throw badField(`${field}.values`, 'must not be empty');
    }
    checkFilterValues(constraintOf(path, filter), `${field}.`);
  }
}

function tooMany(path: string, limit: number, items: string): Error {
  return tooManyItems(`There can be at most ${limit} ${items}.`, path, `must have at most ${limit} ${items}`);
}

/** The evaluation budget of all filters of a set for one signal: at most about 120 ms of work. */
const unitsPerSignal = 2_000_000;

/**
 * Compiles filters for the views of one signal, or of more with a budget for all of them. A filter does not pass once
 * the budget is exhausted.
 */
export function compileFilters(
  filters: Filters,
  budget = new EvaluationBudget({ request: unitsPerSignal, flag: unitsPerSignal }),
): (payload: unknown) => FilterResult[] {
  const prepared = Object.entries(filters).map(([path, filter]) => {
    // Filters read numbers as before ADR 98.
    const constraint = compileConstraint({ ...constraintOf(path, filter), looseNumber: true });
    return { path, filter, constraint };
  });
  return (payload) =>
    prepared.map(({ path, filter, constraint: { source, passes } }) => {
      const found = textAt(payload, path);
      const searched = new Map<typeof source, SearchResult>();
      const context = readyContext({ properties: { [path]: found } }, { now: 0, random: () => 0, budget });
      const holds = passesByDigits(filter, found) ?? passes({ ...context, searched });
      const isOverBudget = searched.get(source) === 'over budget';
      const why = isOverBudget ? budgetExceededText(path, found) : resultText(path, filter, found);
      return { path, found: found ?? null, passes: holds, why };
    });
}

function budgetExceededText(path: string, found: string | undefined): string {
  return `${path} has ${found?.length ?? 0} characters: evaluating it exceeds the work limit of a set for one signal, so the filter does not pass. Use a simpler pattern.`;
}

function resultText(path: string, { operator, inverted, values, value }: Filter, found: string | undefined): string {
  const actual = found === undefined ? `There is nothing at ${path}` : `${path} is ${JSON.stringify(found)}`;
  const expected = takesList(operator) ? (values ?? []).map((text) => JSON.stringify(text)).join(', ') : value;
  return `${actual}; expected ${inverted === true ? 'not ' : ''}${operator} ${expected}.`;
}

function constraintOf(path: string, filter: Filter) {
  return {
    contextName: path,
    operator: filter.operator,
    values: [...(filter.values ?? [])],
    value: filter.value,
    inverted: filter.inverted ?? false,
    caseInsensitive: filter.caseInsensitive ?? false,
  };
}

/** The schema of stored filters. */
export const storedFilters = z.record(
  z.string(),
  z.object({
    operator: z.enum(filterOperatorNames),
    inverted: z.boolean().optional(),
    caseInsensitive: z.boolean().optional(),
    value: z.string().optional(),
    values: z.array(z.string()).optional(),
  }),
);

/** Returns filters as answers have them. */
export function presentFilters(filters: Filters) {
  const entries = Object.entries(filters).map(([path, { values, ...filter }]) => [
    path,
    { ...filter, ...(values === undefined ? {} : { values: [...values] }) },
  ]);
  return Object.fromEntries(entries) as Record<string, { operator: FilterOperator; values?: string[] }>;
}
