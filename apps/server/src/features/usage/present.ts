import { isoTime } from '../../kernel/clock.ts';
import { type HourlyCount, mostCounted } from './counts.ts';

export function presentCount({ featureName, appName, environment, hour, yes, no, variants }: HourlyCount) {
  const timestamp = isoTime(hour);
  return { featureName, appName, environment, timestamp, yes, no, variants: Object.fromEntries(variants) };
}

/** Counts of all applications added up, by environment. */
export function presentTotals(counts: readonly HourlyCount[]) {
  return [...Map.groupBy(counts, ({ environment }) => environment)].map(([environment, some]) => ({
    environment,
    timestamp: isoTime(Math.max(...some.map(({ hour }) => hour))),
    yes: some.reduce((sum, { yes }) => Math.min(sum + yes, mostCounted), 0),
    no: some.reduce((sum, { no }) => Math.min(sum + no, mostCounted), 0),
  }));
}
