import { type Address, choiceIn, idIn, known, textIn } from '../../lib/address.ts';

/** The form or panel over the list of action sets, as stored in the address: at most one. */
export interface ActionSearch {
  /** The form of a new set. */
  readonly make?: true | undefined;
  /** The signal that the new set is made from. */
  readonly signal?: number | undefined;
  /** The flag and the environment whose release plan the new set halts. */
  readonly flag?: string | undefined;
  readonly environment?: string | undefined;
  /** The form that edits this set. */
  readonly edit?: number | undefined;
  /** The form of a new set that releases the flags that this set holds. */
  readonly releaseOf?: number | undefined;
  /** The list of the runs of this set. */
  readonly runsOf?: number | undefined;
  /** The state of the listed runs; all states when absent. */
  readonly state?: RunStateName | undefined;
}

/** The states of a run, as shown to the user. */
export const runStateNames = {
  started: 'Running',
  waiting: 'Waiting',
  success: 'Succeeded',
  failed: 'Failed',
  skipped: 'Skipped',
} as const;
export type RunStateName = keyof typeof runStateNames;

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readActionSearch(address: Address): ActionSearch {
  if (address.make === true) {
    const signal = idIn(address.signal);
    if (signal !== undefined) return { make: true, signal };
    const [flag, environment] = [textIn(address.flag), textIn(address.environment)];
    return { make: true, ...(flag !== undefined && environment !== undefined && { flag, environment }) };
  }
  const [edit, releaseOf, runsOf] = [address.edit, address.releaseOf, address.runsOf].map(idIn);
  if (edit !== undefined) return { edit };
  if (releaseOf !== undefined) return { releaseOf };
  if (runsOf === undefined) return {};
  return known({ runsOf, state: choiceIn(Object.keys(runStateNames) as RunStateName[], address.state) });
}
