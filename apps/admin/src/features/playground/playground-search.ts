import { contextEntries } from './context-entries.ts';

/** What is tried, as the address of the page has it. */
export interface PlaygroundSearch {
  /** None until something is tried. */
  readonly environments?: readonly string[];
  /** All when absent. */
  readonly projects?: readonly string[];
  /** Values by the name of the context field; several with commas between are tried each. */
  readonly context?: Readonly<Record<string, string>>;
  /** Part of the name of the flags that are shown. */
  readonly query?: string;
  /** The change request that is supposed to be applied; then `environments` are its own. */
  readonly changeRequest?: number;
}

const texts = (value: unknown): readonly string[] | undefined => {
  const found = Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  return found.length === 0 ? undefined : found;
};

/** Reads the address; what means nothing is left out. */
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
