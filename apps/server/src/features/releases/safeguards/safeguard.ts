import { type Comparison, describeValue, type RecentQuery, type safeguardStates } from '@yardarm/contract';
import { isoTimeOrNull } from '#kernel/clock.ts';

/** A threshold of an impact metric, at which a plan is paused, or a flag held or switched off. */
export interface Safeguard {
  readonly id: string;
  readonly featureName: string;
  readonly environment: string;
  /** The plan that the safeguard belongs to; null when it switches the flag off. */
  readonly planId: string | null;
  /** `off` or a milestone of the plan at which the flag is held; null when the plan is paused. */
  readonly holdAt: string | null;
  readonly query: RecentQuery;
  readonly condition: Comparison;
  readonly state: (typeof safeguardStates)[number];
  /** The value of the metric at the last look; null without data. */
  readonly value: number | null;
  /** Why there was no value, in a sentence; null when there was a value, or when the metric was not reported. */
  readonly reason: string | null;
  /** Times in milliseconds UTC. */
  readonly lookedAt: number | null;
  readonly triggeredAt: number | null;
  readonly nextLookAt: number;
  /** Since when the safeguard of a flag that is on has no value; null while it has one. */
  readonly noDataSince: number | null;
  /** Whether an event has recorded that it has no value. */
  readonly noDataTold: boolean;
  readonly createdByUserId: number;
  readonly createdAt: number;
}

/** Returns the reason that a plan or a hold shows when a safeguard has paused or held it. */
export function pauseReason({ query, condition }: Pick<Safeguard, 'query' | 'condition'>, value: number): string {
  return `Safeguard: ${describeValue(query, condition, value)}.`;
}

/** Returns the safeguard as events contain it. */
export function safeguardEventData(safeguard: Safeguard, project: string) {
  const { id, query, condition } = safeguard;
  return {
    id,
    action: actionOf(safeguard, project),
    triggerCondition: { ...condition },
    impactMetric: { ...query, id },
  };
}

function actionOf({ planId, holdAt, featureName, environment }: Safeguard, project: string) {
  if (planId === null) return { type: 'disableFeatureEnvironment' as const, featureName, environment, project };
  if (holdAt === null) return { type: 'pauseReleasePlanProgressions' as const, id: planId };
  return { type: 'holdFeature' as const, id: planId, holdAt };
}

/** Returns the safeguard as answers contain it. */
export function presentSafeguard(safeguard: Safeguard, project: string) {
  const { state, value, reason, lookedAt, triggeredAt, noDataSince } = safeguard;
  return {
    ...safeguardEventData(safeguard, project),
    status: {
      ...{ state, value, reason },
      lookedAt: isoTimeOrNull(lookedAt),
      triggeredAt: isoTimeOrNull(triggeredAt),
      noDataSince: isoTimeOrNull(noDataSince),
    },
  };
}
