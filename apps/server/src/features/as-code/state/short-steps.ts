import { warnOfShortSteps } from '@yardarm/contract';
import type { Place } from '#features/releases/release-plans/index.ts';
import type { Db } from '#storage/tx.ts';
import type { FlagChange } from './changes.ts';
import type { DesiredSafeguards } from './desired-state.ts';
import type { FlagPlans } from './flag-plans.ts';
import type { PlanOperation } from './milestones.ts';
import { loadSafeguards } from './safeguards.ts';

/**
 * Returns the operations with a warning at each change after which a milestone of a plan is shorter than its safeguards
 * need for a first value: at the safeguard that is set, and at the gates of the milestone.
 */
export async function warnAboutShortSteps(
  db: Db,
  operations: readonly PlanOperation[],
  { stored, desired }: FlagPlans,
  safeguards: readonly DesiredSafeguards[],
): Promise<PlanOperation[]> {
  const isWarned = ({ type, ofPlan }: FlagChange) =>
    (type === 'safeguard-changed' && ofPlan === true) || type.startsWith('milestone-progression-');
  const concerned = new Set(operations.filter(({ changes }) => changes.some(isWarned)));
  if (concerned.size === 0) return [...operations];
  const present = await loadSafeguards(db, [...new Set([...concerned].map(({ place }) => place.featureName))]);
  const guardsOf = new Map(safeguards.map(({ ofPlan, ...place }) => [keyOf(place), ofPlan]));
  const planOf = new Map(desired.map(({ plan, ...place }) => [keyOf(place), plan]));
  return operations.map((operation) => {
    if (!concerned.has(operation)) return operation;
    const { place, changes } = operation;
    const { featureName, environment } = place;
    const guards =
      guardsOf.get(keyOf(place)) ??
      present.get(featureName)?.filter((each) => each.environment === environment && each.planId !== null) ??
      [];
    const milestones =
      planOf.get(keyOf(place))?.milestones ?? stored.get(featureName)?.get(environment)?.milestones ?? [];
    if (guards.length === 0) return operation;
    const warn = (change: FlagChange): FlagChange => {
      if (!isWarned(change)) return change;
      const isOfAll = change.type === 'safeguard-changed';
      const short = warnOfShortSteps(milestones, isOfAll ? undefined : (change.item ?? undefined));
      return short === undefined ? change : { ...change, warning: [change.warning, short].filter(Boolean).join(' ') };
    };
    return { ...operation, changes: changes.map(warn) };
  });
}

function keyOf({ featureName, environment }: Pick<Place, 'featureName' | 'environment'>): string {
  return JSON.stringify([featureName, environment]);
}
