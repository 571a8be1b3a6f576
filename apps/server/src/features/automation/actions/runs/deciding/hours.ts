import { describeHours, describeTime, isWithinHours } from '#features/platform/hours/index.ts';
import type { ActionSet } from '../../sets/index.ts';

/** The beginning of the reason of a run that came outside the hours of its set. */
export const outsideHours = 'Hours: ';

/** Returns why a run is stopped at a time outside the hours of its set; undefined within the hours. */
export function checkHours({ guards: { hours } }: Pick<ActionSet, 'guards'>, now: number): string | undefined {
  if (hours === undefined || isWithinHours(hours, now)) return undefined;
  return `${outsideHours}it is ${describeTime(hours, now)}. The actions run ${describeHours(hours)}.`;
}
