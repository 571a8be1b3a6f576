import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import type { Place } from '../release-plans/plan-queries.ts';

const safeguardsRoute = 'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards';
const namesRoute = 'GET /api/admin/impact-metrics/names';
const queryRoute = 'GET /api/admin/impact-metrics';

export type Safeguard = Answer<typeof safeguardsRoute>['safeguards'][number];

/** Returns the key of the queries for the safeguards of a flag, in all environments. */
export function safeguardsOfFlag({ projectId, featureName }: Pick<Place, 'projectId' | 'featureName'>) {
  return [safeguardsRoute, projectId, featureName] as const;
}

/** The safeguards of a flag in an environment and of its plan. The server checks them every minute. */
export const safeguardsQuery = (place: Place) =>
  queryOptions({
    queryKey: [...safeguardsOfFlag(place), place.environment],
    queryFn: async () => (await api(safeguardsRoute, { params: place })).safeguards,
    refetchInterval: 15_000,
  });

/** The place of a metric: SDKs report it (`internal`), or the Prometheus server has it (`external`). */
export type MetricSource = 'internal' | 'external';

/** The metrics that SDKs reported with tokens that hold the project, or those of the Prometheus server. */
export const metricsQuery = (project: string, source: MetricSource = 'internal') =>
  apiQuery(namesRoute, { query: { source, project } }, ({ metrics }) => metrics);

export interface LastHour {
  readonly metricName: string;
  readonly aggregationMode: Safeguard['impactMetric']['aggregationMode'];
  readonly labelSelectors: Safeguard['impactMetric']['labelSelectors'];
  readonly source: MetricSource;
  /** The project whose reports are read. */
  readonly project: string;
}

/** The values of a metric with these labels in the last hour, minute by minute. */
export const lastHourQuery = ({ metricName, aggregationMode, labelSelectors, source, project }: LastHour) =>
  queryOptions({
    queryKey: [queryRoute, metricName, aggregationMode, labelSelectors, source, project],
    queryFn: async () => {
      const labels = JSON.stringify(labelSelectors);
      const query = { metricName, aggregationMode, range: 'hour', labels, mode: 'display', source, project } as const;
      return (await api(queryRoute, { query })).series[0]?.data ?? [];
    },
    refetchInterval: 30_000,
  });
