import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

const listRoute = 'GET /api/admin/projects/:projectId/features/:featureName/impact-metrics/config';
const valuesRoute = 'GET /api/admin/impact-metrics';

export interface FlagRef {
  readonly projectId: string;
  readonly featureName: string;
}

export type Chart = Answer<typeof listRoute>['configs'][number];
export type Lines = Answer<typeof valuesRoute>['series'];

/** The routes whose answers a saved or deleted chart changes. */
export const changedByCharts = [listRoute] as const;

export const chartsQuery = ({ projectId, featureName }: FlagRef) =>
  apiQuery(listRoute, { params: { projectId, featureName } }, ({ configs }) => configs);

/** The values of a chart, as the project reads them: one line, or a line for each value of the label `groupBy`. */
export const linesQuery = (project: string, chart: Chart) => {
  const { metricName, timeRange, aggregationMode, labelSelectors, source, groupBy } = chart;
  return queryOptions({
    queryKey: [valuesRoute, project, metricName, timeRange, aggregationMode, labelSelectors, source, groupBy],
    queryFn: async () => {
      const query = {
        metricName,
        range: timeRange,
        aggregationMode,
        labels: JSON.stringify(labelSelectors),
        ...(groupBy === null ? {} : { groupBy }),
        mode: 'display',
        source,
        project,
      } as const;
      return (await api(valuesRoute, { query })).series;
    },
    refetchInterval: 30_000,
    retry: false,
  });
};
