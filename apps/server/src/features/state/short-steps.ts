import { warnOfShortSteps } from '@yardarm/contract';
import type { Db } from '../../storage/tx.ts';
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
  const concerned = operations.filter(({ changes }) => changes.some(isWarned));
  if (concerned.length === 0) return [...operations];
  const present = await loadSafeguards(db, [...new Set(concerned.map(({ place }) => place.featureName))]);
  return operations.map((operation) => {
    const { place, changes } = operation;
    const { featureName, environment } = place;
    const isHere = (other: { readonly featureName: string; readonly environment: string }) =>
      other.featureName === featureName && other.environment === environment;
    const guards =
      safeguards.find(isHere)?.ofPlan ??
      present.get(featureName)?.filter((each) => each.environment === environment && each.planId !== null) ??
      [];
    const milestones =
      desired.find(isHere)?.plan?.milestones ?? stored.get(featureName)?.get(environment)?.milestones ?? [];
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
