import { takesList } from '@yardarm/evaluation/operators';
import type { Input } from '../../lib/api.ts';
import { describeConstraint } from '../constraints/describe-constraint.ts';
import { bodyOf, type ConstraintDraft, draftOf } from '../constraints/draft.ts';

type FilterBody = NonNullable<Input<'POST /api/admin/signal-endpoints'>['body']['expectedFilters']>[string];

/** A filter in an answer of the server. */
interface FilterRead {
  readonly operator: string;
  readonly inverted?: boolean | undefined;
  readonly caseInsensitive?: boolean | undefined;
  readonly value?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** Filters by payload path. */
type FiltersRead = Readonly<Record<string, FilterRead>>;

/** Returns the drafts of filters. */
export function draftsOf(filters: FiltersRead): readonly ConstraintDraft[] {
  return constraintsOf(filters).map(draftOf);
}

/** Returns filters as a part of a sentence: "status is firing and labels.team is one of a, b". */
export function describeFilters(filters: FiltersRead): string {
  return constraintsOf(filters).map(describeConstraint).join(' and ');
}

function constraintsOf(filters: FiltersRead) {
  return Object.entries(filters).map(([contextName, { operator, ...rest }]) => {
    const { values = [], value, inverted = false, caseInsensitive = false } = rest;
    return { contextName, operator, values, value, inverted, caseInsensitive };
  });
}

/** Returns filters in the format of requests. A draft without a path is left out. */
export function bodyOfFilters(filters: readonly ConstraintDraft[]): Readonly<Record<string, FilterBody>> {
  const named = filters.filter(({ contextName }) => contextName.trim() !== '');
  return Object.fromEntries(named.map((filter) => [filter.contextName.trim(), filterOf(filter)]));
}

function filterOf(draft: ConstraintDraft): FilterBody {
  const { values, value, operator, inverted, caseInsensitive } = bodyOf(draft);
  return {
    // The form offers only operators of the contract.
    operator: operator as FilterBody['operator'],
    ...(takesList(operator) ? { values: [...(values ?? [])] } : { value: value ?? '' }),
    ...(inverted === true ? { inverted } : {}),
    ...(caseInsensitive === true ? { caseInsensitive } : {}),
  };
}

/**
 * Returns an error when a filter has no path, because without it more signals would match than the form shows, or when
 * two filters have the same path; undefined otherwise.
 */
export function filterPathProblem(filters: readonly ConstraintDraft[]): string | undefined {
  const paths = filters.map(({ contextName }) => contextName.trim());
  if (paths.includes('')) return 'Enter the parameter of each filter, or remove the filter.';
  return new Set(paths).size < paths.length ? 'Each parameter can have only one filter.' : undefined;
}
