import { compareDecimals } from '@yardarm/contract';
import type { FilterOperator } from '@yardarm/evaluation';

const tests: Partial<Readonly<Record<FilterOperator, (order: number) => boolean>>> = {
  NUM_EQ: (order) => order === 0,
  NUM_GT: (order) => order > 0,
  NUM_GTE: (order) => order >= 0,
  NUM_LT: (order) => order < 0,
  NUM_LTE: (order) => order <= 0,
};

/**
 * Returns whether a text passes a filter that compares numbers, by all of their digits: two ids above 2^53 may have the
 * same double. Undefined for other filters, and when either text is not a number.
 */
export function passesByDigits(
  {
    operator,
    value = '',
    inverted = false,
  }: {
    readonly operator: FilterOperator;
    readonly value?: string | undefined;
    readonly inverted?: boolean | undefined;
  },
  found: string | undefined,
): boolean | undefined {
  const test = tests[operator];
  if (test === undefined || found === undefined) return undefined;
  const order = compareDecimals(found, value);
  return order === undefined ? undefined : test(order) !== inverted;
}
