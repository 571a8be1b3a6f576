import type { TimedGate } from './gate.ts';

const minuteMs = 60_000;

/** Opens when the counted time at the milestone has reached the minutes of the condition. */
export const time: TimedGate = {
  opensAt: ({ condition, elapsedMs }, from) => from + Math.max(0, condition.intervalMinutes * minuteMs - elapsedMs),
  describe: (_, waitMs) => {
    const minutes = Math.ceil(waitMs / minuteMs);
    return `${minutes} more minute${minutes === 1 ? '' : 's'} at this milestone`;
  },
};
