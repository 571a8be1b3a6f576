import { Problem } from './errors.ts';

/** Returns the 400 of a creation beyond a limit. `items` is the plural of the limited items: "segments". */
export function limitReached(limit: number, items: string, advice?: string): Problem {
  const message = `The limit of ${limit} ${items} is reached.`;
  return new Problem('ExceedsLimitError', advice === undefined ? message : `${message} ${advice}`);
}

/** Returns the fault of a plan that would create too many items; `items` as in {@link limitReached}. */
export function limitFault(limit: number, items: string): string {
  return `the limit of ${limit} ${items} would be exceeded`;
}

/** Returns the 400 of a list with too many items: `message` names the owner of the list, `path` is the field. */
export function tooManyItems(message: string, path: string, detail: string): Problem {
  return new Problem('ExceedsLimitError', message, { details: [{ message: detail, path }] });
}
