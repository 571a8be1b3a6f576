import { describeFilters } from '../payload-filters/filter-draft.ts';
import type { SignalEndpoint } from './signal-queries.ts';

type Expectation = Pick<SignalEndpoint, 'expectedMinutes' | 'expectedFilters'>;

/** Returns the expected signal of an endpoint as a sentence without its end; undefined when it expects no signals. */
export function expectationText({ expectedMinutes, expectedFilters }: Expectation): string | undefined {
  if (expectedMinutes === null) return undefined;
  return `Expects a signal${whereText(expectedFilters)} every ${minutesText(expectedMinutes)}`;
}

/** Returns filters as a part of a sentence: " where status is firing"; empty without filters. */
export function whereText(filters: Expectation['expectedFilters']): string {
  const described = describeFilters(filters);
  return described === '' ? '' : ` where ${described}`;
}

/** Returns "minute" or "5 minutes", for the place after "every". */
export function minutesText(minutes: number): string {
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
