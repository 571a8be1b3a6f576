import { hostname } from 'node:os';
import type { Config } from '#config/settings.ts';
import type { ImpactRecorder } from '#features/metrics/impact-metrics/index.ts';
import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { frontendHandlers } from '#features/sdks/frontend/index.ts';
import { ofrepHandlers } from '#features/sdks/ofrep/index.ts';
import { RecentContexts } from '#features/sdks/recent-contexts/index.ts';
import {
  AnswerCache,
  createSdkGuard,
  createStreamGuard,
  deltaNotModified,
  EvaluationBudgets,
  FlagSetCache,
  featuresNotModified,
  fullAnswer,
  hydration,
  type Snapshot,
  sdkHandlers,
  streamToken,
} from '#features/sdks/sdk/index.ts';
import { streamingHandlers } from '#features/sdks/streaming/index.ts';
import type { Usage } from '#features/sdks/usage/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import type { RouteRates } from '#http/bind.ts';
import type { ReadPosition } from '#http/if-none-match.ts';
import { localRateLimit } from '#http/rate-limit.ts';
import { Streams } from '#http/streams.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { version } from './version.ts';

/**
 * The memory limit of the cache of serialized answers of one format: about fifty times the flags of a large instance.
 */
const maxAnswerBytes = 64 * 1024 * 1024;

/** The source of the delivery to SDKs: the database of a server, or the upstream of a replica. */
export interface DeliverySource {
  readonly snapshot: Snapshot;
  readonly tokens: TokenLookup;
  readonly badTokens: BadTokenLimit;
  readonly usage: Usage;
  readonly impactMetrics: ImpactRecorder;
  /** Resolves when the snapshot has all changes that were committed before the call, as far as they can be known. */
  readonly catchUp: (position: ReadPosition) => Promise<void>;
}

type DeliveryParts = Pick<ServiceDependencies, 'config' | 'clock' | 'metrics' | 'log' | 'lifetime'>;

/** Wires the APIs for SDKs, without what a server alone has. */
export function buildDelivery(parts: DeliveryParts, source: DeliverySource) {
  const { config, clock, metrics } = parts;
  const { snapshot, tokens, badTokens, usage, impactMetrics } = source;
  const answers = new AnswerCache(snapshot, fullAnswer, maxAnswerBytes);
  const hydrations = new AnswerCache(snapshot, hydration, maxAnswerBytes);
  const { streams, delivered } = buildStreams(parts, snapshot);
  const evaluation = {
    ...{ flagSets: new FlagSetCache(snapshot), recentContexts: new RecentContexts(clock, config.recentContextLimit) },
    ...{ clock, random: Math.random, hostname: process.env.HOSTNAME || hostname(), budgets: buildBudgets(metrics) },
  };
  return {
    streams,
    delivered,
    evaluation,
    rates: sdkRates(config, clock),
    unchanged: new Map([
      ['/api/client/features', featuresNotModified(tokens, answers)],
      ['/api/client/delta', deltaNotModified(tokens, snapshot)],
    ]),
    guards: {
      sdk: createSdkGuard({ authType: config.authType, tokens, badTokens }),
      stream: createStreamGuard({ authType: config.authType, tokens, badTokens, clock }),
    },
    handlers: {
      ...sdkHandlers({ snapshot, answers, hydrations, usage, impactMetrics, version }),
      ...streamingHandlers({ snapshot, hydrations, streams, tokens }),
      ...frontendHandlers({ ...evaluation, usage }),
      ...ofrepHandlers({
        ...evaluation,
        usage,
        position: (environment) => snapshot.position(environment),
        catchUp: source.catchUp,
        eventStream: async ({ tokenId }) => {
          const known = tokenId === null ? undefined : await tokens.findById(tokenId);
          const path = `/ofrep/v1/event-stream?token=${streamToken(known, clock.now())}`;
          // Without a public URL, the answer names a path, which the OFREP provider resolves against the URL that it
          // called.
          if (config.publicUrl !== '') return { type: 'sse', url: config.publicUrl + path };
          return { type: 'sse', endpoint: { requestUri: config.basePath + path } };
        },
      }),
    },
  };
}

/** Returns the rate limits of SDK routes by client address or backend token. */
function sdkRates(config: Config, clock: Clock): RouteRates {
  const perMinute = (counted: string, points: number) => localRateLimit(clock, counted, points, 60);
  const evaluations = perMinute('evaluations', config.ofrepRatePerMinute);
  const reports = perMinute('reports of usage with one token', config.clientMetricsRatePerMinute);
  return {
    'POST /api/client/metrics': reports,
    'POST /api/client/metrics/bulk': reports,
    'POST /api/client/register': perMinute('registrations with one token', config.clientRegisterRatePerMinute),
    'POST /api/frontend/client/metrics': perMinute('reports of usage', config.frontendMetricsRatePerMinute),
    'POST /api/frontend/client/register': perMinute('registrations', config.frontendRegisterRatePerMinute),
    'POST /ofrep/v1/evaluate/flags': evaluations,
    'POST /ofrep/v1/evaluate/flags/:key': evaluations,
  };
}

/** Creates the streams that send changes to connected SDKs, and their metrics. */
function buildStreams({ clock, config, log, lifetime, metrics }: DeliveryParts, snapshot: Snapshot) {
  const streams = new Streams({
    limit: config.streamLimit,
    tokenShare: config.streamTokenShare,
    heartbeatMs: config.streamHeartbeatSeconds * 1000,
    now: () => clock.now(),
    onError: (error) => log.error({ err: error }, 'sending changes to SDKs failed'),
  });
  const delay = metrics.timeEach(
    'sdk_change_delay_seconds',
    'Time from the commit of a change until it was written to the streams of SDKs by this process',
    'to',
    ['streams'],
  );
  lifetime.onStop('streams', () => streams.stop());
  snapshot.onInvalidated((environment) => streams.invalidate(environment));
  const { counts } = streams;
  metrics.watch('gauge', 'sdk_streams_open', 'Streams to SDKs that are open', () => streams.open);
  metrics.watch('counter', 'sdk_stream_messages_total', 'Messages sent on streams to SDKs', () => counts.messages);
  metrics.watch(
    'counter',
    'sdk_stream_rehydrations_total',
    'Messages on streams that contained all flags because the changes were no longer known',
    () => counts.rehydrations,
  );
  metrics.watch(
    'counter',
    'sdk_stream_held_back_total',
    'Changes held back from streams whose readers were behind',
    () => counts.heldBack,
  );
  metrics.watch(
    'counter',
    'sdk_streams_stalled_total',
    'Streams that were closed because their reader had stalled',
    () => counts.stalled,
  );
  /** Measures the delay of the changes that are sent now; `committedAt` is the time of the oldest of them. */
  const delivered = (committedAt: number) => {
    void streams.delivery?.then(() => delay('streams', (clock.now() - committedAt) / 1000));
  };
  return { streams, delivered };
}

/** Creates the evaluation budgets, and the metric of constraints over the budget. */
function buildBudgets(metrics: ServiceDependencies['metrics']): EvaluationBudgets {
  const budgets = new EvaluationBudgets();
  metrics.watch(
    'counter',
    'evaluation_over_budget_total',
    'Constraints that counted as not met because testing them would have exceeded the evaluation budget',
    () => budgets.refused,
  );
  return budgets;
}
