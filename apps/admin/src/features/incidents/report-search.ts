import { type Address, known, textIn } from '../../lib/address.ts';

/** The times of a report in ISO 8601, as stored in the address of its page. */
export interface ReportSearch {
  readonly from?: string;
  readonly to?: string;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readReportSearch(search: Address): ReportSearch {
  return known({ from: timeIn(search.from), to: timeIn(search.to) });
}

function timeIn(value: Address[string]): string | undefined {
  const text = textIn(value);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** The hour at which a night begins, in the time zone of the user. */
const evening = 18;

/** Returns the time of the night that is over or goes on: from 18 o'clock of the day before until the next minute. */
export function lastNight(now: Date): { readonly from: string; readonly to: string } {
  const from = new Date(now);
  from.setDate(from.getDate() - 1);
  from.setHours(evening, 0, 0, 0);
  const to = new Date(now);
  to.setMinutes(to.getMinutes() + 1, 0, 0);
  return { from: from.toISOString(), to: to.toISOString() };
}
