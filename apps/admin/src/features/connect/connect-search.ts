import { type Address, known, textIn } from '../../lib/address.ts';

/** The choices of the page that connects an application, as stored in its address. */
export interface ConnectSearch {
  /** The id of a language; absent for the first. */
  readonly language?: string;
  readonly environment?: string;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readConnectSearch({ language, environment }: Address): ConnectSearch {
  return known({ language: textIn(language), environment: textIn(environment) });
}
