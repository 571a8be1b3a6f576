/** The errors of a filter, by its field. */
export interface FilterProblems {
  readonly path?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly values?: string;
}

const fieldOf = /^(?:\.(operator|values?|inverted|caseInsensitive)(?:\.\d+)?)?$/;

/**
 * Returns the errors of the filter of a path, such as `match.payload.alert.status.values`. A path may be a prefix of
 * another one.
 */
export function filterProblems(path: string, problems: Readonly<Record<string, unknown>>): FilterProblems {
  const beginning = `match.payload.${path}`;
  const found: { -readonly [Field in keyof FilterProblems]: FilterProblems[Field] } = {};
  for (const [at, problem] of Object.entries(problems)) {
    if (typeof problem !== 'string' || !at.startsWith(beginning)) continue;
    const [whole, field] = fieldOf.exec(at.slice(beginning.length)) ?? [];
    if (whole === undefined) continue;
    found[field === 'operator' || field === 'value' || field === 'values' ? field : 'path'] ??= problem;
  }
  return found;
}
