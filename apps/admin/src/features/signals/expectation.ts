import { describeFilters } from '../../entities/payload-filters/filter-draft.ts';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';

type Expectation = Pick<SignalEndpoint, 'expectedMinutes' | 'expectedFilters'>;

/**
 * Returns the expected signal of an endpoint as a sentence without a full stop: "Expects a signal every 5 minutes".
 * Returns undefined when the endpoint expects no signals.
 */
export function expectationText({ expectedMinutes, expectedFilters }: Expectation): string | undefined {
  if (expectedMinutes === null) return undefined;
  return `Expects a signal${whereText(expectedFilters)} every ${minutesText(expectedMinutes)}`;
}

/** Returns filters as a part of a sentence: " where status is firing"; empty without filters. */
export function whereText(filters: Expectation['expectedFilters']): string {
  const described = describeFilters(filters);
  return described === '' ? '' : ` where ${described}`;
}

/** Returns minutes as words that follow "every": "minute" or "5 minutes". */
export function minutesText(minutes: number): string {
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
