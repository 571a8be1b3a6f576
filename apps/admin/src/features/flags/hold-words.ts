import { effectOf } from '../now/hold-words.ts';
import type { FlagEnvironment } from './flag-queries.ts';

export type Hold = NonNullable<FlagEnvironment['lease']>;

/** Returns the effect of a hold: "held off", "held at 20 %", "held at the milestone Staff". */
export function heldAs(hold: Parameters<typeof effectOf>[0]): string {
  return `held ${effectOf(hold)}`;
}
