import { type Address, choiceIn, known, textIn } from '../../lib/address.ts';

export const spans = [
  { hours: 24, label: 'Last 24 hours' },
  { hours: 48, label: 'Last 48 hours' },
  { hours: 168, label: 'Last 7 days' },
  { hours: 720, label: 'Last 30 days' },
  { hours: 2184, label: 'Last 91 days' },
] as const;

/** The filters of the metrics page, as stored in its address. */
export interface UsageSearch {
  readonly env?: string;
  readonly application?: string;
  /** 48 when absent. */
  readonly hours?: number;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readUsageSearch({ env, application, hours }: Address): UsageSearch {
  const others = spans.map((span) => span.hours).filter((span) => span !== 48);
  return known({ env: textIn(env), application: textIn(application), hours: choiceIn<number>(others, hours) });
}
