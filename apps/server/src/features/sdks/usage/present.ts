import { isoTime } from '#kernel/clock.ts';
import { type HourlyCount, maxCount } from './counts.ts';

export function presentCount({ featureName, appName, environment, hour, yes, no, variants }: HourlyCount) {
  const timestamp = isoTime(hour);
  return { featureName, appName, environment, timestamp, yes, no, variants: Object.fromEntries(variants) };
}

/** Adds up the counts of all applications by environment. */
export function presentTotals(counts: readonly HourlyCount[]) {
  return [...Map.groupBy(counts, ({ environment }) => environment)].map(([environment, group]) => ({
    environment,
    timestamp: isoTime(Math.max(...group.map(({ hour }) => hour))),
    yes: group.reduce((sum, { yes }) => Math.min(sum + yes, maxCount), 0),
    no: group.reduce((sum, { no }) => Math.min(sum + no, maxCount), 0),
  }));
}
