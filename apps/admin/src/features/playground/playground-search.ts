import { type Address, idIn, known, textIn } from '../../lib/address.ts';
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

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readPlaygroundSearch(address: Address): PlaygroundSearch {
  const context = contextEntries(address.context) ?? [];
  return known({
    environments: textsIn(address.environments),
    projects: textsIn(address.projects),
    context: context.length === 0 ? undefined : Object.fromEntries(context),
    query: textIn(address.query),
    changeRequest: idIn(address.changeRequest),
  });
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
