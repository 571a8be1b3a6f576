import type { Plan } from '../../../entities/release-plans/plan-queries.ts';
import type { Safeguard } from '../../../entities/safeguards/safeguard-queries.ts';
import { describeMetric } from '../../../entities/safeguards/safeguard-words.ts';
import { minutesBack, type WatchedQuery } from './metric-curve.ts';

/** A metric that is watched while a plan runs, with its threshold. */
export interface WatchedMetric {
  /** The metric and its threshold: "errors (count, last 5 min) above 9". */
  readonly name: string;
  readonly query: WatchedQuery;
  readonly threshold: number;
}

/** Returns the metrics of the safeguards and of the gate of the active milestone, without duplicates. */
export function watchedIn(
  { milestones, activeMilestoneId }: Pick<Plan, 'milestones' | 'activeMilestoneId'>,
  safeguards: readonly Pick<Safeguard, 'impactMetric' | 'triggerCondition'>[],
): WatchedMetric[] {
  const gate = milestones.find(({ id }) => id === activeMilestoneId)?.transitionCondition?.metric;
  const all = [
    ...safeguards.map(({ impactMetric: { id: _, ...query }, triggerCondition }) => watched(query, triggerCondition)),
    ...(gate === undefined ? [] : [watched(gate.impactMetric, gate.condition)]),
  ];
  return [...new Map(all.map((metric) => [keyOf(metric), metric])).values()];
}

function watched(query: WatchedQuery, condition: Safeguard['triggerCondition']): WatchedMetric {
  return { name: describeMetric(query, condition), query, threshold: condition.threshold };
}

function keyOf({ name, query }: WatchedMetric): string {
  return JSON.stringify([name, query.labelSelectors, query.dividedBy?.labelSelectors]);
}

/** A range of the query route: the last hour by the minute, or the last day in steps of 15 minutes. */
export type Range = 'hour' | 'day';

const hourMinutes = 60;

/**
 * Returns the ranges to load for a curve of this length. Where possible, the last hour is loaded in fine steps: alone
 * for a short curve, or after the last day in coarse steps. A query over an hour or more needs the last day only.
 */
export function rangesFor({ query }: WatchedMetric, lengthMs: number): readonly Range[] {
  const back = minutesBack(query);
  if (lengthMs / 60_000 + back <= hourMinutes) return ['hour'];
  return back < hourMinutes ? ['day', 'hour'] : ['day'];
}
