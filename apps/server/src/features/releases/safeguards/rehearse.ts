import { isBeyond } from '@yardarm/contract';
import { describeNoData, type ReadRecent } from '#features/metrics/impact-metrics/index.ts';
import {
  activeSince,
  type Place,
  type Plan,
  type SafeguardsLook,
  safeguardGate,
} from '#features/releases/release-plans/index.ts';
import type { Db } from '#storage/tx.ts';
import { pauseReason, type Safeguard } from './safeguard.ts';
import * as store from './store.ts';

/**
 * Returns a function that looks at the safeguards of a stored plan at a time, with values that `read` reads.
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
    const pausing: string[] = [];
    const holding = new Map<string, string | null>();
    const gates: SafeguardsLook['gates'][number][] = [];
    for (const safeguard of safeguards) {
      const recent = await read(db, safeguard.query, { reader: { featureName }, since: activeSince(plan), now: at });
      gates.push(safeguardGate(safeguard.query, safeguard.condition, recent));
      if (recent.value === undefined) {
        if (recent.hasFailed === true) failures.push(`Safeguard: ${describeNoData(safeguard.query, recent)}.`);
        if (safeguard.holdAt !== null) holding.set(safeguard.id, null);
      } else if (isBeyond(safeguard.condition, recent.value)) {
        const reason = pauseReason(safeguard, recent.value);
        if (safeguard.holdAt === null) pausing.push(reason);
        else holding.set(safeguard.id, reason);
      }
    }
    return { pauseReason: pausing[0], holding, failures, gates };
  };
}
