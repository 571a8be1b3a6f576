import type { Db } from '../../storage/tx.ts';
import { describeNoData, isBeyond, type ReadRecent } from '../impact-metrics/index.ts';
import { activeSince, type Place, type Plan, type SafeguardsLook } from '../release-plans/index.ts';
import { pauseReason, type Safeguard } from './safeguard.ts';
import * as store from './store.ts';

/**
 * Returns a function that looks at the safeguards of a stored plan at a time, with values that `read` reads. It stops
 * at the first safeguard that would pause the plan.
 */
export async function lookAtPastSafeguards(
  db: Db,
  { featureName, environment, planId }: Place & { readonly planId: string },
  read: ReadRecent,
): Promise<(plan: Plan, at: number) => Promise<SafeguardsLook>> {
  const all = await store.safeguardsIn(db, featureName, environment);
  const safeguards = all.filter((safeguard: Safeguard) => safeguard.planId === planId);
  return async (plan, at) => {
    const failures: string[] = [];
    for (const safeguard of safeguards) {
      const recent = await read(db, safeguard.query, { since: activeSince(plan), now: at });
      if (recent.value === undefined) {
        if (recent.hasFailed === true) failures.push(`Safeguard: ${describeNoData(safeguard.query, recent)}.`);
      } else if (isBeyond(safeguard.condition, recent.value))
        return { pauseReason: pauseReason(safeguard, recent.value), failures };
    }
    return { failures };
  };
}
