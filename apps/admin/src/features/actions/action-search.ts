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
export function readActionSearch(address: Readonly<Record<string, unknown>>): ActionSearch {
  if (address.make === true) {
    const { signal, flag, environment } = address;
    if (isId(signal)) return { make: true, signal };
    return { make: true, ...(isText(flag) && isText(environment) && { flag, environment }) };
  }
  if (isId(address.edit)) return { edit: address.edit };
  if (isId(address.releaseOf)) return { releaseOf: address.releaseOf };
  if (!isId(address.runsOf)) return {};
  return { runsOf: address.runsOf, ...(isRunState(address.state) && { state: address.state }) };
}

function isRunState(value: unknown): value is RunStateName {
  return typeof value === 'string' && Object.hasOwn(runStateNames, value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
