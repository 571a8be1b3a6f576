import type { TimedGate } from './gate.ts';

const minuteMs = 60_000;

/** Opens after the minutes at the milestone that count. */
export const time: TimedGate = {
  opensAt: ({ condition, elapsedMs }, from) => from + Math.max(0, condition.intervalMinutes * minuteMs - elapsedMs),
  describe: (_, waitMs) => {
    const minutes = Math.ceil(waitMs / minuteMs);
    return `${minutes} more minute${minutes === 1 ? '' : 's'} at this milestone`;
  },
};
