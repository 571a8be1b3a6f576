import { queryOptions } from '@tanstack/react-query';
import { searchEvents } from '../../../entities/events/event-queries.ts';
import type { Place } from '../../../entities/release-plans/plan-queries.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { archiveEventTypes, courseEventTypes } from './course.ts';
import { curveOf, joined, overShortGaps, stepsOf, type WatchedQuery } from './metric-curve.ts';
import { type Range, rangesFor, type WatchedMetric } from './watched.ts';

/** The maximum number of events that are loaded for the course of a plan. */
export const mostEvents = 200;

const metricRoute = 'GET /api/admin/impact-metrics';

/** The newest events that changed the course of a plan, oldest first, and whether there are no older ones. */
export const courseEventsQuery = ({ featureName, environment }: Place, since: string) =>
  queryOptions({
    queryKey: ['GET /api/admin/search/events', 'course', featureName, environment, since],
    queryFn: async () => {
      const ofFlag = { feature: [featureName], from: since };
      const [own, archived] = await Promise.all([
        searchEvents({ ...ofFlag, environment: [environment], type: courseEventTypes }, mostEvents),
        searchEvents({ ...ofFlag, type: archiveEventTypes }, mostEvents),
      ]);
      const isWhole = own.nextCursor === null;
      const oldest = isWhole ? 0 : (own.events.at(-1)?.id ?? 0);
      const events = [...own.events, ...archived.events].filter(({ id }) => id >= oldest);
      return { events: events.toSorted((a, b) => a.id - b.id), isWhole };
    },
    refetchInterval: 15_000,
  });

/**
 * Returns the query for the curve of a watched metric, as the project reads it, over the last `lengthMs` milliseconds,
 * and for the time at which the curve ends, in milliseconds UTC.
 */
export const watchedCurveQuery = (project: string, metric: WatchedMetric, lengthMs: number) => {
  const ranges = rangesFor(metric, lengthMs);
  return queryOptions({
    queryKey: [metricRoute, 'course', project, metric.query, ranges],
    queryFn: () => loadCurve(project, metric.query, ranges),
    refetchInterval: 30_000,
  });
};

async function loadCurve(project: string, query: WatchedQuery, ranges: readonly Range[]) {
  const loaded = await Promise.all(ranges.map((range) => loadRange(project, query, range)));
  return {
    curve: overShortGaps(loaded.map(({ curve }) => curve).reduce(joined)),
    end: Math.max(...loaded.map(({ end }) => end)),
  };
}

/** Loads the curve of a metric in a range. A metric that no SDK has reported for a day has an empty curve. */
async function loadRange(project: string, { dividedBy, ...query }: WatchedQuery, range: Range) {
  const load = async ({ metricName, labelSelectors }: Pick<WatchedQuery, 'metricName' | 'labelSelectors'>) => {
    const labels = JSON.stringify(labelSelectors);
    const { aggregationMode, source = 'internal' } = query;
    const asked = { metricName, aggregationMode, range, labels, mode: 'display', source, project } as const;
    return stepsOf(await api(metricRoute, { query: asked }));
  };
  try {
    const [value, divisor] = await Promise.all([load(query), dividedBy && load(dividedBy)]);
    return { curve: curveOf({ ...query, dividedBy }, value, divisor), end: value.end * 1000 };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { curve: [], end: 0 };
    throw error;
  }
}
