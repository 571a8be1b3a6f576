/** The form or panel over the list of endpoints, as stored in the address: at most one. */
export interface SignalSearch {
  /** The form of a new endpoint. */
  readonly make?: true | undefined;
  /** The form that edits this endpoint. */
  readonly edit?: number | undefined;
  /** The list of the signals of this endpoint, and the selected signal. */
  readonly view?: number | undefined;
  readonly signal?: number | undefined;
  /** The filters of the list: words, and the time range in ISO 8601. */
  readonly query?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Address = Readonly<Record<string, unknown>>;

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readSignalSearch(address: Address): SignalSearch {
  if (address.make === true) return { make: true };
  if (isId(address.edit)) return { edit: address.edit };
  return isId(address.view) ? { view: address.view, ...shownOf(address) } : {};
}

function shownOf({ signal, query, from, to }: Address): SignalSearch {
  const text = typeof query === 'number' ? String(query) : query;
  return {
    ...(isId(signal) ? { signal } : {}),
    ...(typeof text === 'string' && text.trim() !== '' ? { query: text } : {}),
    ...(isTime(from) ? { from } : {}),
    ...(isTime(to) ? { to } : {}),
  };
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && Number.isFinite(Date.parse(value));
}
