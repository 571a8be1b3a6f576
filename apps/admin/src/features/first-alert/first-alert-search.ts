import { type Address, idIn, known, textIn } from '../../lib/address.ts';

/** The choices of a user on the page of the first alert, as stored in its address. */
export interface FirstAlertSearch {
  /** The id of the signal endpoint. */
  readonly endpoint?: number | undefined;
  readonly project?: string | undefined;
  readonly flag?: string | undefined;
  readonly environment?: string | undefined;
  /** The id of the action set that was made here. */
  readonly action?: number | undefined;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readFirstAlertSearch(address: Address): FirstAlertSearch {
  return known({
    endpoint: idIn(address.endpoint),
    project: textIn(address.project),
    flag: textIn(address.flag),
    environment: textIn(address.environment),
    action: idIn(address.action),
  });
}
