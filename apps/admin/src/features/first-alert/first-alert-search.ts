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
export function readFirstAlertSearch(address: Readonly<Record<string, unknown>>): FirstAlertSearch {
  const { endpoint, project, flag, environment, action } = address;
  return {
    ...(isId(endpoint) ? { endpoint } : {}),
    ...(typeof project === 'string' ? { project } : {}),
    ...(typeof flag === 'string' ? { flag } : {}),
    ...(typeof environment === 'string' ? { environment } : {}),
    ...(isId(action) ? { action } : {}),
  };
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
