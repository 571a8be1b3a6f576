import { Problem } from '../../kernel/errors.ts';
import type { BeforeCommit } from '../../storage/commit/write.ts';
import type { Db, NewEvent } from '../../storage/tx.ts';
import { touches } from '../event-effects/index.ts';
import { findFeature, recordFeatureEvents, type StrategyLimits } from '../flags/index.ts';
import { goBack } from './commands.ts';
import { activeMilestone, type Plan, tooManyHalts, withTime } from './plan.ts';
import { pauseEventData } from './present.ts';
import { keyOf, plansOn, stoppedFlags, updatePlan } from './store.ts';

/** An event that a change records, or would record. */
type ChangeOfFlag = Pick<NewEvent, 'type' | 'featureName' | 'preData'>;

/** Returns the plans that run a strategy which these events update or remove, each with the reason to refuse that. */
export async function findLockedStrategies(
  db: Db,
  events: readonly ChangeOfFlag[],
): Promise<{ readonly plan: Plan; readonly reason: string }[]> {
  const changed = events.filter(({ type }) => type === 'feature-strategy-update' || type === 'feature-strategy-remove');
  const plans = await plansOn(db, namesOf(changed));
  const runs = new Map(plans.flatMap((plan) => activeMilestone(plan).strategies.map(({ id }) => [id, plan])));
  return changed.flatMap(({ preData }) => {
    const plan = runs.get((preData as { readonly id: string }).id);
    if (plan === undefined) return [];
    const reason = `The release plan ${plan.name} of the flag ${plan.featureName} runs this strategy in ${plan.environment}. Change the milestone ${activeMilestone(plan).name}, or remove the plan and keep its strategies.`;
    return [{ plan, reason }];
  });
}

/**
 * Rejects a change with 409 when it updates or removes a strategy that a plan runs. Decides from the recorded events,
 * so that the check holds for all commands and for imports.
 */
export const refuseChangesOfRunStrategies: BeforeCommit = async (tx, { events }) => {
  const [first] = await findLockedStrategies(tx.db, events);
  if (first !== undefined)
    throw new Problem('ConflictError', first.reason, { extras: { releasePlanId: first.plan.id } });
};

/**
 * Returns a check of each commit that stops the time of plans while their flag is off or held, and restarts it
 * afterwards. Records a hold as a pause of the plan, and its end as a resumption, unless the plan is paused. A plan
 * that was halted too often goes back to its first milestone.
 */
export function keepTimeOfPlans(limits: StrategyLimits): BeforeCommit {
  return async (tx, { events }) => {
    const names = namesOf(events.filter(changesState));
    const plans = await plansOn(tx.db, names);
    if (plans.length === 0) return;
    const states = await stoppedFlags(tx.db, names);
    for (const plan of plans) {
      const after = withTime(plan, tx.now, states.get(keyOf(plan)) ?? null);
      if (after.stoppedBy === plan.stoppedBy) continue;
      await updatePlan(tx, after);
      const isHeld = after.stoppedBy === 'hold';
      // A paused plan stays paused, with and without a hold.
      if (after.pausedAt !== null) continue;
      const feature = isHeld === (plan.stoppedBy === 'hold') ? undefined : await findFeature(tx.db, plan.featureName);
      if (feature === undefined) continue;
      const type = isHeld ? 'release-plan-progressions-paused' : 'release-plan-progressions-resumed';
      const data = pauseEventData(plan, isHeld ? 'The flag is held.' : 'The flag is no longer held.');
      await recordFeatureEvents(tx, [{ feature, event: { type, environment: plan.environment, data } }]);
      const reason = isHeld ? tooManyHalts(after) : undefined;
      if (reason !== undefined) await goBack(tx, limits, feature, after, reason);
    }
  };
}

function changesState(event: NewEvent): boolean {
  return switches.has(event.type) || touches(event, 'holds');
}

const switches: ReadonlySet<string> = new Set([
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-archived',
  'feature-revived',
]);

function namesOf(events: readonly Pick<NewEvent, 'featureName'>[]): string[] {
  return [...new Set(events.flatMap(({ featureName }) => featureName ?? []))];
}
