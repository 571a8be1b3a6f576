import {
  createMetricSource,
  createQueryNow,
  createQueryRunner,
  failureReasons,
  type MetricSource,
  queryResults,
} from '#features/metrics/external-metrics/index.ts';
import { createImpactRecorder, impactMetricHandlers, impactRetention } from '#features/metrics/impact-metrics/index.ts';
import { metricChartHandlers } from '#features/metrics/metric-charts/index.ts';
import { createFetchWhole, resolveByDns } from '#features/platform/outbound/index.ts';
import { lookAtSafeguards, safeguardHandlers } from '#features/releases/safeguards/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { addressPolicyOf } from './integrations.ts';

/** Limits of an answer of the Prometheus server. */
const answerLimits = { receiver: 'The Prometheus server', timeoutMs: 5000, maxBytes: 1_000_000 } as const;

/** Wires impact metrics, the external metrics of a Prometheus server, and the safeguards that watch both. */
export function buildImpactMetrics({ config, clock, database, log, lifetime, metrics }: ServiceDependencies) {
  const recorder = createImpactRecorder(database, clock, config.impactMetricSeriesLimit, (error) =>
    log.error({ err: error }, 'storing impact metrics failed'),
  );
  lifetime.onStop('impact metrics', () => recorder.stop());
  metrics.watch(
    'counter',
    'impact_metric_values_dropped_total',
    'Values of impact metrics that were dropped because there were too many time series',
    () => recorder.dropped,
  );
  const source = sourceOf({ config, metrics });
  const external = { url: source?.url, queryNow: createQueryNow(source) };
  const queryRunner = createQueryRunner(database, clock, source, (error) =>
    log.error({ err: error }, 'storing values of the Prometheus server failed'),
  );
  lifetime.onStop('queries to the Prometheus server', () => queryRunner.stop());
  return {
    recorder,
    queryNow: external.queryNow,
    queryRunner,
    jobs: [impactRetention, lookAtSafeguards, queryRunner.job],
    handlers: {
      ...impactMetricHandlers(database, clock, external),
      ...metricChartHandlers(database),
      ...safeguardHandlers(database),
    },
  };
}

/** Returns the Prometheus server of the settings, whose queries are counted; undefined when there is none. */
function sourceOf({ config, metrics }: Pick<ServiceDependencies, 'config' | 'metrics'>): MetricSource | undefined {
  const { prometheusUrl: url, prometheusToken: token } = config;
  const countResult = metrics.countEach(
    'prometheus_queries_total',
    'Queries that were sent to the Prometheus server, by result',
    'result',
    queryResults,
  );
  const countFailure = metrics.countEach(
    'prometheus_query_failures_total',
    'Queries that were sent to the Prometheus server and have no value, by reason. Those with the reason not-a-number were answered',
    'reason',
    failureReasons,
  );
  if (url === undefined) return undefined;
  const fetchWhole = createFetchWhole(addressPolicyOf(config), resolveByDns, answerLimits);
  return createMetricSource({ url, token }, fetchWhole, { countResult, countFailure });
}
