import { type Address, idIn, known, textIn } from '../../lib/address.ts';

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

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readSignalSearch(address: Address): SignalSearch {
  if (address.make === true) return { make: true };
  const [edit, view] = [idIn(address.edit), idIn(address.view)];
  if (edit !== undefined) return { edit };
  if (view === undefined) return {};
  const { signal, query, from, to } = address;
  return known({ view, signal: idIn(signal), query: textIn(query), from: timeIn(from), to: timeIn(to) });
}

function timeIn(value: unknown): string | undefined {
  return typeof value === 'string' && Number.isFinite(Date.parse(value)) ? value : undefined;
}
