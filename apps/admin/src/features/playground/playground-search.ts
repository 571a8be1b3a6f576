import { contextEntries } from './context-entries.ts';

/** The input of the playground, as stored in the address of the page. */
export interface PlaygroundSearch {
  /** Absent until the first evaluation. */
  readonly environments?: readonly string[];
  /** All projects when absent. */
  readonly projects?: readonly string[];
  /** Values by context field. The flags are evaluated for each of several comma-separated values. */
  readonly context?: Readonly<Record<string, string>>;
  /** Filters the results by flag name. */
  readonly query?: string;
  /** The change request that is assumed to be applied; `environments` is then its environment. */
  readonly changeRequest?: number;
}

const texts = (value: unknown): readonly string[] | undefined => {
  const found = Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  return found.length === 0 ? undefined : found;
};

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readPlaygroundSearch(search: Readonly<Record<string, unknown>>): PlaygroundSearch {
  const environments = texts(search.environments);
  const projects = texts(search.projects);
  const context = contextEntries(search.context) ?? [];
  return {
    ...(environments === undefined ? {} : { environments }),
    ...(projects === undefined ? {} : { projects }),
    ...(context.length === 0 ? {} : { context: Object.fromEntries(context) }),
    ...(typeof search.query === 'string' && search.query !== '' ? { query: search.query } : {}),
    ...(Number.isSafeInteger(search.changeRequest) ? { changeRequest: search.changeRequest as number } : {}),
  };
}
