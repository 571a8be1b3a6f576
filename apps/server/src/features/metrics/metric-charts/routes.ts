import type { metricChartRoutes } from '@yardarm/contract';
import { requireFeature } from '#features/flags/feature/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { presentChart } from './chart.ts';
import { removeChart, saveChart } from './commands.ts';
import { chartsOf } from './store.ts';

type Params = { readonly projectId: string; readonly featureName: string };

const refOf = ({ projectId, featureName }: Params) => ({ project: projectId, featureName });

export function metricChartHandlers({ db, write }: Database): Handlers<typeof metricChartRoutes> {
  return {
    'GET /api/admin/projects/:projectId/features/:featureName/impact-metrics/config': async ({ params }) => {
      const { name } = await requireFeature(db, refOf(params));
      return { body: { configs: (await chartsOf(db, name)).map(presentChart) } };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/impact-metrics/config': async (input) => {
      const { params, body, author } = input;
      const chart = await write(author, async (tx) => saveChart(tx, await requireFeature(tx.db, refOf(params)), body));
      return { body: presentChart(chart) };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/impact-metrics/config/:id': async (input) => {
      const { params, author } = input;
      await write(author, async (tx) => removeChart(tx, await requireFeature(tx.db, refOf(params)), params.id));
    },
    'GET /api/admin/impact-metrics/config': async () => {
      return { body: { configs: (await chartsOf(db, null)).map(presentChart) } };
    },
    'POST /api/admin/impact-metrics/config': async ({ body, author }) => {
      const chart = await write(author, (tx) => saveChart(tx, undefined, body));
      return { body: presentChart(chart) };
    },
    'DELETE /api/admin/impact-metrics/config/:id': async ({ params, author }) =>
      write(author, (tx) => removeChart(tx, undefined, params.id)),
  };
}
