import {
  createAsker,
  createAskNow,
  createMetricSource,
  type MetricSource,
  refuseExternalQueries,
} from '../features/external-metrics/index.ts';
import { createImpactRecorder, impactMetricHandlers, impactRetention } from '../features/impact-metrics/index.ts';
import { metricChartHandlers } from '../features/metric-charts/index.ts';
import { createFetchWhole, resolveByDns } from '../features/outbound/index.ts';
import { lookAtSafeguards, safeguardHandlers } from '../features/safeguards/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { addressPolicyOf } from './integrations.ts';

/** Limits of an answer of the Prometheus server. */
const answerLimits = { receiver: 'The Prometheus server', timeoutMs: 5000, maxBytes: 1_000_000 } as const;

/** Wires impact metrics, those of a Prometheus server, and the safeguards that watch them. */
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
  const source = sourceOf(config);
  const external = { url: source?.url, askNow: createAskNow(source) };
  if (source === undefined) database.beforeCommit(refuseExternalQueries);
  const asker = createAsker(database, clock, source, (error) =>
    log.error({ err: error }, 'storing values of the Prometheus server failed'),
  );
  lifetime.onStop('questions to the Prometheus server', () => asker.stop());
  return {
    recorder,
    asker,
    jobs: [impactRetention, lookAtSafeguards, asker.job],
    handlers: {
      ...impactMetricHandlers(database, clock, external),
      ...metricChartHandlers(database),
      ...safeguardHandlers(database),
    },
  };
}

/** Returns the Prometheus server of the settings; undefined when there is none. */
function sourceOf(config: ServiceDependencies['config']): MetricSource | undefined {
  const { prometheusUrl: url, prometheusToken: token } = config;
  if (url === undefined) return undefined;
  return createMetricSource({ url, token }, createFetchWhole(addressPolicyOf(config), resolveByDns, answerLimits));
}
