/** The errors of a filter, by its field. */
export interface FilterProblems {
  readonly path?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly values?: string;
}

const fieldOf = /^(?:\.(operator|values?|inverted|caseInsensitive)(?:\.\d+)?)?$/;

/** The fields of action sets and signal endpoints that hold filters. */
export type FilterField = 'match.payload' | 'match.release' | 'expectedFilters';

/**
 * Returns the errors of the filter for a payload path. The error at `match.payload.alert.status.values` belongs to the
 * filter for `alert.status`, and not to one for `alert`.
 */
export function filterProblems(
  path: string,
  problems: Readonly<Record<string, unknown>>,
  field: FilterField = 'match.payload',
): FilterProblems {
  const beginning = `${field}.${path}`;
  const found: { -readonly [Field in keyof FilterProblems]: FilterProblems[Field] } = {};
  for (const [at, problem] of Object.entries(problems)) {
    if (typeof problem !== 'string' || !at.startsWith(beginning)) continue;
    const [whole, part] = fieldOf.exec(at.slice(beginning.length)) ?? [];
    if (whole === undefined) continue;
    found[part === 'operator' || part === 'value' || part === 'values' ? part : 'path'] ??= problem;
  }
  return found;
}
