import type { filterOperators } from '@yardarm/contract';
import { compileConstraint, EvaluationBudget, readyContext, type SearchResult } from '@yardarm/evaluation';
import { badField, Problem } from '../../../kernel/errors.ts';
import { checkConstraint } from '../../constraints/index.ts';
import { pathProblem, textAt } from './path.ts';

/** What has to hold of one place in a payload; the same as a constraint of a strategy (docs/spec#action-filters). */
export interface Filter {
  readonly operator: (typeof filterOperators)[number];
  readonly inverted?: boolean | undefined;
  readonly caseInsensitive?: boolean | undefined;
  readonly value?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** Filters by the path of what they look at; all must hold. */
export type Filters = Readonly<Record<string, Filter>>;

export interface FilterLimits {
  /** Filters of one set. */
  readonly filters: number;
  /** Values of one filter. */
  readonly values: number;
}

/** What came of asking one filter. */
export interface Verdict {
  readonly path: string;
  readonly passes: boolean;
  /** The text that was found; null when there was none. */
  readonly found: string | null;
  /** What was asked and what was there, in words. */
  readonly why: string;
}

const withValues = /^(IN|NOT_IN|STR_)/;

/** A 400 that names the first filter that is wrong: one with nothing to compare with would pass everything, or nothing. */
export function checkFilters(filters: Filters, limits: FilterLimits): void {
  const entries = Object.entries(filters);
  if (entries.length > limits.filters) throw exceeded('match.payload', limits.filters, 'filters');
  for (const [path, filter] of entries) {
    const field = `match.payload.${path}`;
    const problem = pathProblem(path);
    if (problem !== undefined) throw badField(field, problem);
    const values = filter.values ?? [];
    if (new Set(values).size > limits.values) throw exceeded(`${field}.values`, limits.values, 'values');
    if (withValues.test(filter.operator)) {
      if (!values.some((value) => value.trim() !== '')) throw badField(`${field}.values`, 'must not be empty');
    }
    const rules = { constraints: 1, constraintValues: Number.POSITIVE_INFINITY };
    checkConstraint(constraintOf(path, filter), rules, `${field}.`);
  }
}

function exceeded(path: string, limit: number, what: string): Problem {
  return new Problem('ExceedsLimitError', `There can be at most ${limit} ${what}.`, {
    details: [{ message: `must hold at most ${limit}`, path }],
  });
}

/** Units that the filters of a set may take for one signal, whatever its elements: at most some 120 ms of work. */
const unitsPerSignal = 2_000_000;

/**
 * Prepares filters for the views of one signal. A filter passes nothing once testing it would go over what all views of the
 * signal may take together.
 */
export function prepareFilters(filters: Filters): (payload: unknown) => Verdict[] {
  const budget = new EvaluationBudget({ request: unitsPerSignal, flag: unitsPerSignal });
  const prepared = Object.entries(filters).map(([path, filter]) => {
    const constraint = compileConstraint(constraintOf(path, filter));
    return { path, filter, constraint };
  });
  return (payload) =>
    prepared.map(({ path, filter, constraint: { source, passes } }) => {
      const found = textAt(payload, path);
      const searched = new Map<typeof source, SearchResult>();
      const context = readyContext({ properties: { [path]: found } }, { now: 0, random: () => 0, budget });
      const holds = passes({ ...context, searched });
      const isOverBudget = searched.get(source) === 'over budget';
      const why = isOverBudget ? overBudget(path, found) : whyOf(path, filter, found);
      return { path, found: found ?? null, passes: holds, why };
    });
}

function overBudget(path: string, found: string | undefined): string {
  return `${path} has ${found?.length ?? 0} characters: testing it would take more work than the filters of a set may for one signal, so it counts as not met. Use a smaller pattern.`;
}

function whyOf(path: string, { operator, inverted, values, value }: Filter, found: string | undefined): string {
  const there = found === undefined ? `There is nothing at ${path}` : `${path} is ${JSON.stringify(found)}`;
  const wanted = withValues.test(operator) ? (values ?? []).map((one) => JSON.stringify(one)).join(', ') : value;
  return `${there}; asked for is ${inverted === true ? 'not ' : ''}${operator} ${wanted}.`;
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
