import { readStops } from '#features/flags/automation-stops/index.ts';
import type { Db } from '#storage/tx.ts';
import type { Plan, StoppedBy } from './plan.ts';
import { keyOf, stoppedFlags } from './store.ts';

/** Returns why the time of a plan does not count; null where it counts. */
export type StoppedByOf = (plan: Pick<Plan, 'featureName' | 'environment'>) => StoppedBy | null;

/**
 * Reads why the time of plans on flags does not count. A hold comes first, because the milestone starts anew after it;
 * then what stops automation, also for a plan in shadow mode on a flag that is off.
 */
export async function readStoppedBy(db: Db, now: number, names: readonly string[]): Promise<StoppedByOf> {
  const [flags, stops] = await Promise.all([stoppedFlags(db, names), readStops(db, now, names)]);
  return (place) => {
    const flag = flags.get(keyOf(place)) ?? null;
    return flag === 'hold' ? flag : (stops.of('plan step', place)?.stop ?? flag);
  };
}
