import { type impactMetricRoutes, labelSelectorsSchema, modesOfType } from '@yardarm/contract';
import type { QueryNow } from '#features/metrics/external-metrics/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { requireVisible } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { expositionText } from './exposition.ts';
import { externalMetrics, readExternalCurves } from './external-curves.ts';
import { type LabelSelectors, labelsOf, periodOf, readCurves } from './query.ts';
import { listSeries } from './store.ts';

/** The Prometheus server that the settings name. */
export interface ExternalMetrics {
  /** The address of the server without credentials; undefined when the settings name no server. */
  readonly url: string | undefined;
  readonly queryNow: QueryNow;
}

export function impactMetricHandlers(
  { db }: Database,
  clock: Clock,
  external: ExternalMetrics,
): Handlers<typeof impactMetricRoutes> {
  const { queryNow } = external;
  return {
    'GET /api/admin/impact-metrics': async ({ query, caller }) => {
      const reader = await readerOf(db, caller, query.project);
      const { metricName, aggregationMode, range, groupBy } = query;
      const period = periodOf(range, clock.now());
      const metric = { metricName, aggregationMode, labelSelectors: parseSelectors(query.labels) };
      const { curves, series } =
        query.source === 'external'
          ? await readExternalCurves(queryNow, metric, period, groupBy)
          : await readCurves(db, reader, metric, period, groupBy);
      return {
        body: {
          start: seconds(period.from),
          end: seconds(period.to),
          step: seconds(period.stepMs),
          series: curves.map(({ metric: labels, points }) => ({
            metric: { ...labels },
            data: points.map(([at, value]): [number, number] => [at / 1000, value]),
          })),
          ...(query.mode === 'display' ? {} : { labels: labelsOf(series) }),
        },
      };
    },
    'GET /api/admin/impact-metrics/names': async ({ query, caller }) => {
      const reader = await readerOf(db, caller, query.project);
      if (query.source === 'external')
        return { body: { metrics: externalMetrics(await queryNow((source) => source.names())) } };
      const byName = Map.groupBy(await listSeries(db, reader), ({ metricName }) => metricName);
      const metrics = [...byName.values()].flatMap((series) => {
        const [first] = series;
        if (first === undefined) return [];
        const { metricName, type, help } = first;
        return [{ metricName, type, help, aggregationModes: [...modesOfType[type]], labels: labelsOf(series) }];
      });
      return { body: { metrics } };
    },
    'GET /api/admin/impact-metrics/external-source': () => ({
      body: { enabled: external.url !== undefined, url: external.url ?? '' },
    }),
    'POST /api/admin/impact-metrics/external-source/validate': async () => {
      try {
        return { body: { metricNames: await queryNow((source) => source.names()) } };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { body: { error: error.message } };
      }
    },
    'GET /internal-backstage/impact/metrics': async ({ caller }) => ({
      body: expositionText(await listSeries(db, caller)),
    }),
  };
}

/** Returns the caller, or the project that is named. Rejects with 404 when it does not exist or is hidden. */
async function readerOf(db: Db, caller: Identity, project: string | undefined): Promise<Reader> {
  if (project === undefined) return caller;
  requireVisible(caller, project);
  await requireProject(db, project);
  return { project };
}

function parseSelectors(text: string | undefined): LabelSelectors {
  if (text === undefined || text === '') return {};
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw badField('labels', 'must be JSON such as {"environment":["production"]}');
  }
  const { data, error } = labelSelectorsSchema.safeParse(given);
  if (data === undefined)
    throw badField('labels', error?.issues[0]?.message ?? 'must map names of labels to lists of values');
  return data;
}

function seconds(ms: number): string {
  return String(ms / 1000);
}
