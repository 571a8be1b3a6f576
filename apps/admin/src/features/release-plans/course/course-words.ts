import { formatDate, formatDateMinute, formatMinute } from '../../../ui/dates.ts';
import type { ExposedStretch } from './course.ts';
import type { CurvePoint } from './metric-curve.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const distances = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * dayMs),
];

/**
 * Returns the ticks of a time axis: at most `most` times between `from` and `to` that are round in the time zone of the
 * user, such as full hours.
 */
export function ticksOf(from: number, to: number, most = 6): number[] {
  const length = to - from;
  const smallest = isInDays(from, to) ? dayMs : 0;
  const distance = distances.find((one) => one >= smallest && length / one < most) ?? length / most;
  // When a change to or from summer time lies in between, the ticks after it are off by an hour.
  const offset = new Date(from).getTimezoneOffset() * minuteMs;
  const first = Math.ceil((from - offset) / distance) * distance + offset;
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / distance) + 1) },
    (_, index) => first + index * distance,
  );
}

/** Returns the label of a tick: the time of day, or the day on an axis of more than two days. */
export function tickLabel(at: number, from: number, to: number): string {
  return isInDays(from, to) ? formatDate(at).slice(5) : formatMinute(at);
}

function isInDays(from: number, to: number): boolean {
  return to - from > 2 * dayMs;
}

/** Returns the milestone of a stretch and its exposure in words: "Pilot: 10 % of users". */
export function describeExposure({ milestone, exposure }: Pick<ExposedStretch, 'milestone' | 'exposure'>): string {
  return `${milestone}: ${exposure} % of users`;
}

const courseWords = { running: '', gated: 'waits', paused: 'paused', held: 'halted', off: 'flag is off' } as const;

/** Returns why the plan does not go on in a stretch: "halted: Held off by ops"; undefined while it goes on. */
export function describeStop({ course, reasons }: Pick<ExposedStretch, 'course' | 'reasons'>): string | undefined {
  if (course === 'running') return undefined;
  return reasons.length === 0 ? courseWords[course] : reasons.join('. ');
}

/**
 * Returns the time of a stretch: "2026-03-31 12:00 to 12:30". For the last stretch of a course: "2026-03-31 12:00 to
 * now".
 */
export function describeTime({ from, to }: Pick<ExposedStretch, 'from' | 'to'>, end: number): string {
  const isOneDay = formatDate(from) === formatDate(to);
  const until = to >= end ? 'now' : isOneDay ? formatMinute(to) : formatDateMinute(to);
  return `${formatDateMinute(from)} to ${until}`;
}

/** Returns the lowest and the highest value of a curve in a stretch; undefined without data. */
export function extentIn(
  curve: readonly CurvePoint[],
  { from, to }: Pick<ExposedStretch, 'from' | 'to'>,
): readonly [number, number] | undefined {
  const values = curve.flatMap(({ at, value }) => (value !== null && at > from && at <= to ? [value] : []));
  return values.length === 0 ? undefined : [Math.min(...values), Math.max(...values)];
}

/** The number of points of the chart at which a user can point for details, besides the changes of the course. */
const samples = 120;

/** Returns the exposure at each change of a course and at times in between, so that a user can point at any time. */
export function exposureRows(course: readonly ExposedStretch[]): { readonly at: number; readonly Exposure: number }[] {
  const [first, last] = [course[0], course.at(-1)];
  if (first === undefined || last === undefined) return [];
  const distance = (last.to - first.from) / samples;
  const rows = course.flatMap(({ from, to, exposure }) => {
    const count = Math.max(1, Math.ceil((to - from) / distance));
    return Array.from({ length: count }, (_, index) => ({ at: from + index * distance, Exposure: exposure }));
  });
  return [...rows, { at: last.to, Exposure: last.exposure }];
}
