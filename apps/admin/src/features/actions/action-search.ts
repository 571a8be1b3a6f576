/** What lies over the list of actions, as the address has it: at most one. */
export interface ActionSearch {
  /** The form of a new set. */
  readonly make?: true | undefined;
  /** The form of this set. */
  readonly edit?: number | undefined;
  /** The form of a new set that releases what this one holds. */
  readonly releaseOf?: number | undefined;
  /** The runs of this set. */
  readonly runsOf?: number | undefined;
}

/** Reads the address; what means nothing is left out. */
export function readActionSearch(address: Readonly<Record<string, unknown>>): ActionSearch {
  if (address.make === true) return { make: true };
  if (isId(address.edit)) return { edit: address.edit };
  if (isId(address.releaseOf)) return { releaseOf: address.releaseOf };
  return isId(address.runsOf) ? { runsOf: address.runsOf } : {};
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
