import type { Names } from './content-names.ts';
import type { Fitting } from './fit.ts';

/** How objects of Unleash become objects of Yardarm: their names, and what is fitted on the way. */
export interface Mapping {
  readonly names: Names;
  readonly fit: Fitting;
}

/** Returns a position in an order within 32 bits. */
export function fittedOrder(sortOrder: number | null | undefined): number {
  return Math.max(-2147483648, Math.min(2147483647, Math.trunc(sortOrder ?? 0)));
}
