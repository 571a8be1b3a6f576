import type { ExposedStretch } from './course.ts';
import type { CurvePoint } from './metric-curve.ts';

/** A watched metric, with the time before each point that its value is about. */
export interface AveragedMetric {
  readonly name: string;
  readonly curve: readonly CurvePoint[];
  readonly minutesBack: number;
}

/** The average values of a metric while each milestone was served; null without data. */
export interface MilestoneAverages {
  readonly name: string;
  /** In the order of the milestones given. */
  readonly values: readonly (number | null)[];
}

/** The longest step of a curve. */
const longestStepMs = 15 * 60_000;

/** Returns the names of the milestones of a course, in the order in which they were first active. */
export function milestonesIn(course: readonly ExposedStretch[]): string[] {
  return [...new Set(course.map(({ milestone }) => milestone))];
}

/**
 * Returns the average values of metrics at each milestone, weighted by time. Times at which the flag was held or off do
 * not count, and neither does a value that is partly about the time before the milestone was served.
 */
export function averagesOf(course: readonly ExposedStretch[], metrics: readonly AveragedMetric[]): MilestoneAverages[] {
  const spans = servedSpans(course);
  return metrics.map((metric) => {
    const weighed = weighedPoints(metric);
    const values = milestonesIn(course).map((milestone) => {
      const own = spans.filter((span) => span.milestone === milestone);
      return averageOf(weighed.filter(({ from, at }) => own.some((span) => from >= span.from && at <= span.to)));
    });
    return { name: metric.name, values };
  });
}

/** Returns the times at which a milestone was served without a break; `gated` and `paused` are no breaks. */
function servedSpans(course: readonly ExposedStretch[]) {
  const spans: { milestone: string; from: number; to: number }[] = [];
  for (const { course: kind, milestone, from, to } of course) {
    if (kind === 'held' || kind === 'off') continue;
    const last = spans.at(-1);
    if (last?.milestone === milestone && last.to === from) last.to = to;
    else spans.push({ milestone, from, to });
  }
  return spans;
}

interface WeighedPoint {
  /** The beginning of the time that the value is about. */
  readonly from: number;
  readonly at: number;
  readonly value: number;
  readonly weight: number;
}

function weighedPoints({ curve, minutesBack }: AveragedMetric): WeighedPoint[] {
  const backMs = minutesBack * 60_000;
  return curve.flatMap(({ at, value }, index) => {
    if (value === null) return [];
    const weight = Math.min(longestStepMs, at - (curve[index - 1]?.at ?? at - backMs));
    return [{ from: at - Math.max(backMs, weight), at, value, weight }];
  });
}

function averageOf(points: readonly WeighedPoint[]): number | null {
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? null : points.reduce((sum, { value, weight }) => sum + value * weight, 0) / total;
}
