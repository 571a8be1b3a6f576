import type { Db } from '../../storage/tx.ts';
import { isBeyond, readRecent } from '../impact-metrics/index.ts';
import { activeSince, type Place, type Plan } from '../release-plans/index.ts';
import { pauseReason, type Safeguard } from './safeguard.ts';
import * as store from './store.ts';

/**
 * Returns a function that says why the safeguards of a stored plan would pause the plan at a time; undefined when they
 * would not.
 */
export async function pauseReasons(
  db: Db,
  { featureName, environment, planId }: Place & { readonly planId: string },
): Promise<(plan: Plan, at: number) => Promise<string | undefined>> {
  const all = await store.safeguardsIn(db, featureName, environment);
  const safeguards = all.filter((safeguard: Safeguard) => safeguard.planId === planId);
  return async (plan, at) => {
    for (const safeguard of safeguards) {
      const { value } = await readRecent(db, safeguard.query, { since: activeSince(plan), now: at });
      if (value !== undefined && isBeyond(safeguard.condition, value)) return pauseReason(safeguard, value);
    }
    return undefined;
  };
}
