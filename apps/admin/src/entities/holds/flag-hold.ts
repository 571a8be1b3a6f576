import type { FlagEnvironment } from '../flags/flag-queries.ts';
import { effectOf } from './hold-words.ts';

export type Hold = NonNullable<FlagEnvironment['lease']>;

/** Returns the effect of a hold: "held off", "held at 20 %", "held at the milestone Staff". */
export function heldAs(hold: Parameters<typeof effectOf>[0]): string {
  return `held ${effectOf(hold)}`;
}
