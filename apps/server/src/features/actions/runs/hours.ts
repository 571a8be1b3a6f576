import { describeHours, describeTime, isWithinHours } from '../../hours/index.ts';
import type { ActionSet } from '../sets/index.ts';

/** The name of the guard, with which its reasons begin. */
export const outsideHours = 'Hours: ';

/** Returns the reason when a time is outside the hours of a set. */
export function checkHours({ guards: { hours } }: Pick<ActionSet, 'guards'>, now: number): string | undefined {
  if (hours === undefined || isWithinHours(hours, now)) return undefined;
  return `${outsideHours}it is ${describeTime(hours, now)}. The actions run ${describeHours(hours)}.`;
}
