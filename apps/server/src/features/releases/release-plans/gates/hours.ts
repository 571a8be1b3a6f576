import { describeHours, nextWithinHours } from '#features/platform/hours/index.ts';
import type { TimedGate } from './gate.ts';

/** Opens during the hours of the condition, on its days of the week. */
export const hours: TimedGate = {
  opensAt: ({ condition }, from) => (condition.hours === undefined ? from : nextWithinHours(condition.hours, from)),
  describe: ({ condition }) =>
    condition.hours === undefined ? '' : `Only ${describeHours(condition.hours)} (${condition.hours.timeZone})`,
};
