import type { Hours } from '../../entities/hours/guards.ts';
import type { Input } from '../../lib/api.ts';

type Body = Input<'POST /api/admin/release-plan-templates'>['body'];
type MilestoneBody = NonNullable<Body['milestones']>[number];
type Condition = NonNullable<MilestoneBody['transitionCondition']>;

/** The number of minutes in each unit of time. */
const unitMinutes = { minutes: 1, hours: 60, days: 1440 } as const;
export type Unit = keyof typeof unitMinutes;

/** The draft of the time that a plan stays at a milestone, and of the hours at which the next milestone may start. */
export interface TimeDraft {
  readonly count: number | string;
  readonly unit: Unit;
  /** Null when the next milestone may start at any hour. */
  readonly hours: Hours | null;
  /** The stored condition. It has gates that these fields do not edit, and that are kept. */
  readonly source?: Condition;
}

export const anHour: TimeDraft = { count: 1, unit: 'hours', hours: null };

const minutesOfYear = 366 * 24 * 60;

/** Returns the largest number of a unit that the server accepts. */
export const mostOf = (unit: Unit): number => Math.floor(minutesOfYear / unitMinutes[unit]);

/** Returns the draft of the time in a condition. */
export function timeOf(source: Condition | null): TimeDraft | null {
  if (source === null) return null;
  const { intervalMinutes, hours = null } = source;
  const unit = intervalMinutes % 1440 === 0 ? 'days' : intervalMinutes % 60 === 0 ? 'hours' : 'minutes';
  return { count: intervalMinutes / unitMinutes[unit], unit, hours, source };
}

/** Returns the condition of a draft, with the gates of the stored condition that its fields do not edit. */
export function conditionOf({ source, count, unit, hours }: TimeDraft): Condition {
  const { hours: _, ...others } = source ?? {};
  return { ...others, intervalMinutes: Number(count) * unitMinutes[unit], ...(hours === null ? {} : { hours }) };
}

/**
 * Returns the condition for a template that is made from a plan. Removes the environment of the plan from the labels of
 * the metric, so that the metric is read in the environment of each new plan.
 */
export function withoutEnvironment(condition: Condition, environment: string): Condition {
  const { metric } = condition;
  if (metric === undefined) return condition;
  const { dividedBy, ...query } = metric.impactMetric;
  const withoutLabel = <Part extends { labelSelectors: unknown }>(part: Part): Part => {
    // The condition comes from an answer of the server, which has validated that these values are lists.
    const { environment: read = [], ...others } = part.labelSelectors as Record<string, string[]>;
    return read.length === 1 && read[0] === environment ? { ...part, labelSelectors: others } : part;
  };
  const impactMetric = {
    ...withoutLabel(query),
    ...(dividedBy === undefined ? {} : { dividedBy: withoutLabel(dividedBy) }),
  };
  return { ...condition, metric: { ...metric, impactMetric } };
}

/** Returns the errors of a draft, by the path inside the milestone: `transitionCondition.hours.days`. */
export function timeProblems({ count, hours }: TimeDraft): Readonly<Record<string, string>> {
  return {
    ...(Number.isInteger(count) && Number(count) >= 1
      ? {}
      : { 'transitionCondition.intervalMinutes': 'Must be a whole number from 1.' }),
    ...(hours?.days.length === 0 ? { 'transitionCondition.hours.days': 'Choose a day.' } : {}),
  };
}
